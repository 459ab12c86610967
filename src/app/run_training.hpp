#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/rank_setup.hpp"
#include "core/stop_request.hpp"

namespace lipizz::app {

/// How to run, as opposed to what: nothing here changes a result.
struct RunOptions {
  std::filesystem::path output_dir;  // empty: one of its own in runs/; must not exist yet
  std::filesystem::path resume_dir;  // not empty: the run to go on with
  bool from_seed = false;            // where nothing that was saved can be used, it begins again
  double time_limit_s = std::numeric_limits<double>::infinity();  // from the start of the process
  /// Whoever wants the run to save itself and leave asks here.
  std::shared_ptr<StopRequest> stop_request = std::make_shared<StopRequest>();
  /// Hears, on any thread, that a run that was asked to stop is saved and about to leave, and with
  /// which exit code.
  std::function<void(std::int32_t)> when_left_early = [](std::int32_t) {};
  bool quiet = false;             // no progress, only warnings, errors and the last line
  bool survives_losses = false;   // cells of a lost rank move to others; the launcher must allow it
  bool dry_run = false;           // print placement and an estimate of memory, train nothing
  std::vector<std::string> argv;  // the command line, for the run's folder
  std::string launch_id;          // of the `lipizz launch` above it; empty: none
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
