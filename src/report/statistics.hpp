#pragma once

#include <cstddef>
#include <span>

namespace lipizz::report {

/// A figure of repetitions of one experiment, with other seeds.
struct Repetitions {
  std::size_t n = 0;          // figures that are numbers
  std::size_t n_without = 0;  // that are not finite: a run without a score, or one that diverged
  double mean = 0;            // of the n; NaN when there is none
  double standard_error = 0;  // of the mean: sample deviation / sqrt(n); NaN below two figures
};

/// Figures that are not finite are left out and counted, since no mean is one with them; whoever
/// shows the mean shows how many are missing.
Repetitions summarize(std::span<const double> figures);

}  // namespace lipizz::report
