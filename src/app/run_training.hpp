#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/experiment.hpp"

namespace lipizz::app {

/// How to run, as opposed to what: nothing here changes a result.
struct RunOptions {
  std::filesystem::path output_dir;  // empty: runs/<name>-<time>; must not exist yet
  bool quiet = false;                // no progress, only warnings, errors and the last line
  bool dry_run = false;              // print placement and an estimate of memory, train nothing
  std::vector<std::string> argv;     // the command line, for the run's folder
};

/// Trains the grid, on the ranks of the launcher or on threads of this process, and leaves the
/// run's folder. Collective: every rank calls it with the same arguments; `experiment` has passed
/// check(). Returns an ExitCode as a number; throws Error.
int run_training(const config::Experiment& experiment, const RunOptions& options);

}  // namespace lipizz::app
