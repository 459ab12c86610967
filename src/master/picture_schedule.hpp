#pragma once

#include <limits>

#include "core/ids.hpp"

namespace lipizz::master {

/// In which generations the best mixture is drawn: where its score is better than all before, and
/// far enough after the last picture that a run has at most fifty. It depends on scores alone, not
/// on timing.
class PictureSchedule {
 public:
  /// `generations`: of the whole run.
  explicit PictureSchedule(Generation generations);

  /// To be asked once for each generation, in order. `score` is that of the best cell; a NaN is
  /// none.
  bool is_due(Generation generation, double score);

 private:
  Generation pause_;
  double best_score_ = std::numeric_limits<double>::infinity();
  Generation last_ = 0;  // 0: no picture yet
};

}  // namespace lipizz::master
