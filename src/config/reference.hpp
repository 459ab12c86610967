#pragma once

#include <string>

#include "config/operators.hpp"

namespace lipizz::config {

/// docs/configuration.md: every setting with its default, its range and what it does, and the
/// parameters of every operator.
std::string reference_page(const OperatorTables& operators);

/// The operators of each setting that chooses one, for --help: one line for each operator.
std::string operators_text(const OperatorTables& operators);

}  // namespace lipizz::config
