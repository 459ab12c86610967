#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "sweep/plan.hpp"
#include "sweep/score_kind.hpp"

namespace lipizz::sweep {

/// Successive halving (Jamieson and Talwalkar 2016) over combinations: a rung is decided once every
/// run that was to come to it has, from their results alone, so whoever decides decides alike.
///
/// A combination's rank is its mean over the seeds, lower being better. One with a run that failed,
/// or without a score (NaN), loses to those without; ties are won by the earlier one in the plan.

/// A run's score when it had been trained to a rung.
struct ScoreAt {
  double value = 0;
  ScoreKind kind;
};

/// A run that has come to a generation, or never will.
struct RungResult {
  std::optional<ScoreAt> score;  // none: the run has failed
};
using ResultAt =
    std::function<std::optional<RungResult>(const PlannedRun& run, Generation generation)>;

struct Rung {
  Generation generation = 0;
  std::size_t n_before = 0;  // combinations that were to come to it
  std::size_t n_kept = 0;
  bool is_decided = false;
};

struct Halving {
  std::vector<Generation> target;      // of each combination: to be trained to that for now
  std::vector<Generation> stopped_at;  // of each combination; 0: it was not
  std::vector<Rung> rungs;             // up to the first that is not decided
};

/// How many of n combinations go on behind a rung.
std::size_t n_kept(const StopEarly& stop, std::size_t n);

/// The state of the sweep; without stop_early, every combination's target is its last generation.
/// ConfigError when scores that have to be ranked are of different kinds.
Halving halve(const Plan& plan, const ResultAt& result_at);

}  // namespace lipizz::sweep
