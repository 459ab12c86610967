#pragma once

#include <cstdint>

#include "sweep/plan.hpp"
#include "sweep/progress.hpp"

namespace lipizz::sweep {

/// The work that a sweep still has to do.
struct WorkLeft {
  std::size_t n_runs = 0;      // that have something left
  std::uint64_t n_starts = 0;  // of processes: with stop_early a run has one for each rung
  std::uint64_t n_generations = 0;
};

/// Those that failed are not counted; of rungs that are not decided yet, as many go on as will.
WorkLeft work_left(const Plan& plan, const Progress& progress);

/// How long a run takes, as one short run has shown.
struct Pace {
  double s_per_generation = 0;
  double s_per_start = 0;  // everything else: opening the data, the final score
};

/// Seconds that it takes when so many are trained at a time.
double seconds_for(const WorkLeft& work, const Pace& pace, std::size_t n_at_a_time);

}  // namespace lipizz::sweep
