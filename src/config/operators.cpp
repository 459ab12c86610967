#include "config/operators.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::config {
namespace {

std::vector<std::string> names_of(const auto& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

const OperatorDeclaration& find(std::span<const OperatorDeclaration> known, const std::string& name,
                                std::string_view setting) {
  const auto found = std::ranges::find(known, name, &OperatorDeclaration::name);
  if (found != known.end()) return *found;
  throw ConfigError(std::string(setting) + ": there is no \"" + shortened(name) + "\"" +
                    suggestion(name, names_of(known)));
}

[[noreturn]] void fail_unknown_parameter(const std::string& where, const std::string& name,
                                         const OperatorDeclaration& declaration) {
  const std::string problem = where + ": " + std::string(declaration.name);
  if (declaration.parameters.empty()) throw ConfigError(problem + " takes no parameters");
  throw ConfigError(problem + " has no parameter \"" + shortened(name) + "\"" +
                    suggestion(name, names_of(declaration.parameters)));
}

double checked(double value, const Parameter& parameter, const std::string& where) {
  const bool is_in_range = value >= parameter.lowest && value <= parameter.highest;
  if (is_in_range && (!parameter.is_whole || std::floor(value) == value)) return value;
  throw ConfigError(where + ": expected " + expected(parameter) + ", found " + number_text(value));
}

}  // namespace

Operator completed(const Operator& written, std::span<const OperatorDeclaration> known,
                   std::string_view setting) {
  const OperatorDeclaration& declaration = find(known, written.kind, setting);
  Operator complete{written.kind};
  for (const Parameter& parameter : declaration.parameters) {
    complete.parameters.emplace_back(parameter.name, parameter.initial);
  }
  for (const auto& [name, value] : written.parameters) {
    const std::string where = std::string(setting) + "." + name;
    const auto found = std::ranges::find(declaration.parameters, name, &Parameter::name);
    if (found == declaration.parameters.end()) fail_unknown_parameter(where, name, declaration);
    const auto index = found - declaration.parameters.begin();
    complete.parameters[static_cast<std::size_t>(index)].second = checked(value, *found, where);
  }
  return complete;
}

std::string range_text(const Parameter& parameter) {
  const std::string range = number_text(parameter.lowest) + " to " + number_text(parameter.highest);
  return parameter.unit.empty() ? range : range + " " + std::string(parameter.unit);
}

std::string expected(const Parameter& parameter) {
  return (parameter.is_whole ? "a whole number from " : "a number from ") + range_text(parameter);
}

}  // namespace lipizz::config
