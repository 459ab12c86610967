#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/experiment.hpp"

namespace lipizz::config {

/// Where a field's value lies.
using Value =
    std::variant<bool*, std::uint32_t*, std::uint64_t*, double*, std::string*,
                 std::vector<std::string>*, std::vector<NeighbourhoodFrom>*, Model*, Operator*>;

/// Everything that is known about one setting. Reading, checking, writing and documenting an
/// experiment all walk the same list of these.
struct Field {
  std::string path;  // "generator.learning_rate"
  Value value;
  std::string_view summary;  // one sentence

  // Numbers: the range, both ends allowed, and the unit.
  double lowest = 0;
  double highest = 0;
  std::string_view unit;

  // Texts: the names allowed are these and those of `kind`, as `lipizz list KIND` prints them. With
  // neither, any text will do. Operators: likewise, of their `kind`; fields whose path begins with
  // an operator's are keys of its object beside the operator's own parameters.
  std::vector<std::string> names;
  std::string_view kind;

  /// May be changed when a run is resumed, since no result depends on it.
  bool may_change = false;
};

/// The one declaration of every setting, pointing into `experiment`, in the order of the reference.
std::vector<Field> fields(Experiment& experiment);

/// `whole number from 1 to 4096`, `one of average, worst, best` ...: what the field takes.
std::string expected(const Field& field);

/// ConfigError saying that nothing is called `path`, with the nearest setting or section.
[[noreturn]] void fail_unknown(std::string_view where, std::string_view path,
                               const std::vector<Field>& known);

}  // namespace lipizz::config
