#pragma once

#include <optional>
#include <vector>

#include "report/terminal_text.hpp"

namespace lipizz::report {

/// How good scores are among each other: 1 for the best (lowest), 0 for the worst. Logarithmic
/// where all are above 0. Scores that hardly differ look alike: the worst end is at least a quarter
/// above the best.
class ScoreScale {
 public:
  /// NaNs count as none.
  explicit ScoreScale(const std::vector<double>& scores);

  [[nodiscard]] bool has_scores() const { return has_scores_; }
  [[nodiscard]] double best() const { return best_; }
  [[nodiscard]] double worst() const { return worst_; }

  /// Nothing of a NaN.
  [[nodiscard]] std::optional<double> goodness(double score) const;

 private:
  bool has_scores_ = false;
  double best_ = 0;
  double worst_ = 0;
};

/// From dark violet (0) over green to yellow (1), in twelve steps: Matplotlib's viridis, which
/// people with any kind of colour vision read as an order, and which stays one in grey.
Colour colour_of(double goodness);

/// The same as a character, from `.` to `@`.
char character_of(double goodness);

}  // namespace lipizz::report
