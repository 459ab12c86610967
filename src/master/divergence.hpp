#pragma once

#include "config/experiment.hpp"
#include "core/ids.hpp"

namespace lipizz::master {

/// Notices when a run comes to nothing: a cell whose networks went NaN or infinite in training goes
/// on from the ones before, and where all cells do so again and again, nothing is trained any more.
/// Used by one thread.
class Divergence {
 public:
  /// So many generations in a row are enough.
  static constexpr Generation kPatience = 10;

  /// The experiment must outlive it.
  explicit Divergence(const config::Experiment& experiment) : experiment_(experiment) {}

  /// To be called for each generation in order, with whether every cell's training diverged.
  /// NumericError when it was so in kPatience generations
  /// in a row, or in all that the run has.
  void add(Generation generation, bool is_everywhere);

  /// The NumericError of a run whose best cell has no score at the end.
  [[noreturn]] void refuse_without_score() const;

 private:
  const config::Experiment& experiment_;
  Generation n_in_a_row_ = 0;
};

}  // namespace lipizz::master
