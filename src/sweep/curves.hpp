#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grid/torus.hpp"
#include "report/statistics.hpp"
#include "sweep/figures.hpp"
#include "sweep/plan.hpp"
#include "sweep/progress.hpp"

namespace lipizz::sweep {

/// A generation of several runs: the score of each run's best cell, as it was taken while training,
/// over the runs that have one.
struct CurvePoint {
  Generation generation = 0;
  report::Repetitions score;
  double cpu_s = 0;  // mean over the runs: CPU seconds of all cells until then, without waiting
};

/// The curve of runs with the same grid, by generation. Damaged lines of metrics are left out.
/// CheckpointError where metrics cannot be read.
std::vector<CurvePoint> curve_of(const std::vector<std::filesystem::path>& runs,
                                 const grid::Torus& torus);

/// A line for each generation of each row: the row's settings and kind of score, `generation`, `n`,
/// `mean`, `standard_error`, `cpu_s`. It reads the metrics of all runs.
std::string curves_csv(const Plan& plan, const Progress& progress, const Figures& figures);

}  // namespace lipizz::sweep
