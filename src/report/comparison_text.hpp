#pragma once

#include <cstddef>
#include <string>

#include "report/comparison.hpp"

namespace lipizz::report {

/// The comparison as it is shown on a terminal of `width` characters: what all runs have in common,
/// a row for each run, and the means of those that differ in the seed alone.
std::string comparison_text(const Comparison& comparison, std::size_t width);

/// `3x4`
std::string grid_text(const ComparedRun& run);

/// Where the runs' folders lie, when all lie in one; empty otherwise.
std::string common_parent(const Comparison& comparison);

}  // namespace lipizz::report
