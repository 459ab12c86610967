#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "report/comparison.hpp"

namespace lipizz::report {

/// Runs whose scores over generations are drawn; those of all others are in the page's table alone,
/// so that a page of 1,000 runs stays under a megabyte.
inline constexpr std::size_t kMostCurves = 40;

/// All that the page of a comparison shows, as JSON; compare.js reads it. Curves are those of the
/// finished runs with the lowest scores, and of the one that all are held against.
///
/// | key | content |
/// |---|---|
/// | `parent` | where all runs lie; empty where they do not lie in one folder |
/// | `metric`, `judge` | how scores were taken; null where no run has finished |
/// | `settings` | the settings that differ |
/// | `runs` | of each, in order: `name`, `folder`, `score`, `best` {`value`, `generation`},
/// `floor`, `samples`, `generations`, `reached`, `seconds`, `is_resumed`, `grid`, `numerics`,
/// `fingerprint`, `settings`: their values; null where there is no result | | `groups` | of runs
/// that differ in the seed alone: `runs`, `n`, `mean`, `error`, `settings` | | `group_settings` |
/// the settings in which groups differ | | `against`, `equals` | the place of the run that all are
/// held against, or null; the places of those that came to the same bits | | `curves` | [{`run`,
/// `series`}]: the best score of each generation, for `lipizz.series()` of page.js |
std::string comparison_data(const Comparison& comparison);

/// Writes the page, one self-contained file (page.hpp). ConfigError when `file` is something else
/// than a page of ours, CheckpointError when it cannot be written or metrics cannot be read.
void write_comparison_page(const Comparison& comparison, const std::filesystem::path& file);

}  // namespace lipizz::report
