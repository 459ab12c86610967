#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "app/rank_setup.hpp"

namespace lipizz::app {

/// How to run, as opposed to what: nothing here changes a result.
struct RunOptions {
  std::filesystem::path output_dir;  // empty: runs/<name>-<time>; must not exist yet
  std::filesystem::path resume_dir;  // not empty: the run to go on with
  double time_limit_s = std::numeric_limits<double>::infinity();  // from the start of the process
  /// Says in a few words who has asked the run to save itself and leave; empty while nobody has.
  std::function<std::string()> stop_requested = [] { return std::string(); };
  bool quiet = false;             // no progress, only warnings, errors and the last line
  bool survives_losses = false;   // cells of a lost rank move to others; the launcher must allow it
  bool dry_run = false;           // print placement and an estimate of memory, train nothing
  std::vector<std::string> argv;  // the command line, for the run's folder
  std::string place = "under MPI";  // where its ranks are, for the first line on the console
};

/// Trains the grid, on the ranks of the launcher or on threads of this process, and leaves the
/// run's folder. Collective: every rank calls it.
///
/// `load` is called once per process, when ranks can already talk to each other, and what it throws
/// is reported like anything else that a rank lacks: by one message from one rank, all ranks
/// leaving with the error's code. So at most one rank throws Error; the others return its code.
/// Returns an ExitCode as a number.
int run_training(const LoadExperiment& load, const RunOptions& options);

}  // namespace lipizz::app
