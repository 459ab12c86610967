#pragma once

#include <cstddef>
#include <string>

#include "sweep/plan.hpp"
#include "sweep/progress.hpp"
#include "sweep/sweep_folder.hpp"

namespace lipizz::sweep {

/// The texts of `lipizz sweep`, for a terminal of 80 columns; whole lines.

/// `learning_rate=0.001 loss=bce seed=1`
std::string name_of(const Plan& plan, const PlannedRun& run);

/// How many runs there are in each state: `4 finished, 2 running, 12 waiting`.
std::string counts_text(const Progress& progress);

/// The sweep's combinations with their values and how much is finished of each, at most so many.
std::string plan_text(const Plan& plan, const SweepFolder& folder, const Progress& progress,
                      std::size_t n_most);

/// Where the sweep stands: counts, rungs, who has which run since when, and what failed.
std::string status_text(const Plan& plan, const SweepFolder& folder, const Progress& progress);

/// The rungs of stop_early and what it has saved; empty without it.
std::string rungs_text(const Plan& plan, const Progress& progress);

}  // namespace lipizz::sweep
