#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/experiment.hpp"
#include "core/operator_declaration.hpp"

namespace lipizz::config {

/// The registered operators by kind, as `lipizz list KIND` prints them. Whoever links the tables
/// fills it.
using OperatorTables = std::map<std::string, std::vector<OperatorDeclaration>, std::less<>>;

/// The operator with all its parameters, in the order of their declaration; those that were not
/// written have their defaults. `setting` is its path and stands in messages. ConfigError when
/// there is no such operator or parameter, naming the nearest, and when a value is out of range.
Operator completed(const Operator& written, std::span<const OperatorDeclaration> known,
                   std::string_view setting);

/// `a whole number from 2 to 1000 members`: what a parameter takes.
std::string expected(const Parameter& parameter);

/// `2 to 1000 members`
std::string range_text(const Parameter& parameter);

}  // namespace lipizz::config
