#pragma once

#include <concepts>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/operator_declaration.hpp"

namespace lipizz::coev {

/// An operator of the algorithm: a row of its kind's table. Beside these three members a record has
/// what its kind asks for, above all a function, which is handed the parameters' values in the
/// order in which the record declares them. Operators have no state: all randomness comes from the
/// counter-based stream that they are handed, so that a resumed run goes on with the same bits. The
/// tables are ours; each record's header cites the paper of its operator.
///
/// A new operator is a file in src/coev/KIND/ that defines a record, and a row in
/// src/coev/KIND.cpp: `lipizz list`, the configuration with its documents and the conformance suite
/// find it there (docs/extending.md).
template <class Record>
concept Operator = requires(const Record& record) {
  { record.name } -> std::convertible_to<std::string_view>;
  { record.summary } -> std::convertible_to<std::string_view>;
  { record.parameters } -> std::convertible_to<std::span<const Parameter>>;
};

/// The values of an operator's parameters, in the order of their declaration.
using ParameterValues = std::span<const double>;

/// An operator with the values of its parameters. The record must live as long, as rows of tables
/// do.
template <Operator Record>
class Configured {
 public:
  /// With the defaults of all parameters.
  Configured(const Record& record) : record_(&record) {  // NOLINT: a record is a choice
    for (const Parameter& parameter : record.parameters) values_.push_back(parameter.initial);
  }
  /// values: one for each parameter.
  Configured(const Record& record, std::vector<double> values)
      : record_(&record), values_(std::move(values)) {
    LIPIZZ_ASSERT(values_.size() == record.parameters.size());
  }

  const Record* operator->() const { return record_; }
  const Record& operator*() const { return *record_; }
  [[nodiscard]] ParameterValues values() const { return values_; }

 private:
  const Record* record_;
  std::vector<double> values_;
};

/// The declarations of a table's rows, for the configuration. table: pointers to records.
template <class Table>
std::vector<OperatorDeclaration> declarations_of(const Table& table) {
  std::vector<OperatorDeclaration> declarations;
  for (const auto* record : table) {
    declarations.push_back({record->name, record->summary, record->parameters});
  }
  return declarations;
}

}  // namespace lipizz::coev
