#pragma once

#include <filesystem>
#include <vector>

#include "sweep/figures.hpp"
#include "sweep/plan.hpp"
#include "sweep/progress.hpp"
#include "sweep/sweep_folder.hpp"

namespace lipizz::sweep {

/// Writes what `lipizz sweep report` leaves in the sweep's report/, and returns the paths. Each
/// file appears whole; what is there of an earlier report is replaced. CheckpointError; ConfigError
/// where report.html is no page of ours.
///
///     table.csv   a line for each combination (figures_csv)
///     runs.csv    a line for each run (runs_csv)
///     table.tex   for LaTeX (figures_latex)
///     best.json   the best combination as a configuration; with several kinds of scores
///                 best-1.json and so on, in the order of the tables
///     report.html a page with all of it
std::vector<std::filesystem::path> write_report(const Plan& plan, const SweepFolder& folder,
                                                const Progress& progress, const Figures& figures);

}  // namespace lipizz::sweep
