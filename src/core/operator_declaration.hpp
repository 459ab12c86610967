#pragma once

#include <span>
#include <string_view>

namespace lipizz {

/// A number that an operator of the algorithm is told by the configuration.
struct Parameter {
  std::string_view name;
  double lowest = 0;  // both ends are allowed
  double highest = 0;
  double initial = 0;  // the default
  std::string_view unit{};
  std::string_view summary{};  // one sentence
  bool is_whole = false;
};

/// An operator as the configuration and its documents know it: its row in the table of its kind
/// (coev/operator.hpp) without what it does.
struct OperatorDeclaration {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters;
};

}  // namespace lipizz
