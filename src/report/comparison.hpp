#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/compared_run.hpp"
#include "report/setting_differences.hpp"
#include "report/statistics.hpp"

namespace lipizz::report {

/// Runs side by side.
struct Comparison {
  /// The finished ones first, the lowest score first, those without a score behind them; then the
  /// others. By their folders where that does not decide.
  std::vector<ComparedRun> runs;
  std::size_t n_finished = 0;

  /// Their configurations differ in these, but for the settings that a comparison shows anyway
  /// (name, grid, numerics) or that say nothing about a run (data.dir).
  std::vector<SettingDifference> differences;

  /// Two finished runs or more that differ in the seed alone, beside settings that no result
  /// depends on. Runs with one seed and one fingerprint say the same: the first one counts.
  /// The lowest mean first.
  struct Group {
    std::vector<std::size_t> runs;  // places in `runs`, ascending
    Repetitions scores;
  };
  std::vector<Group> groups;

  std::optional<std::size_t> against;  // the place of the run that all others are held against
};

/// The settings in which groups differ, beside the seed, each with the value of every group.
std::vector<SettingDifference> group_differences(const Comparison& comparison);

/// The places of other runs with the fingerprint of the one that all are held against: they came
/// to the same bits. Empty where there is no such one.
std::vector<std::size_t> equals_of_reference(const Comparison& comparison);

/// ConfigError naming runs and judges when finished ones were scored by different ones, since their
/// scores say nothing about each other; and when there is no run `against`, or it has no result.
Comparison compare(std::vector<ComparedRun> runs,
                   const std::optional<std::filesystem::path>& against = std::nullopt);

}  // namespace lipizz::report
