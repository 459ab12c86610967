#include "app/run_training.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "app/launcher.hpp"
#include "app/lost_processes.hpp"
#include "app/run_in_process.hpp"
#include "app/run_rank.hpp"
#include "app/stop_signals.hpp"
#include "app/time_limit.hpp"
#include "comm/comm_manager.hpp"
#include "comm/mpi_session.hpp"
#include "comm/shared_segments.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"

namespace lipizz::app {
namespace {

int run_alone(const LoadExperiment& load, const RunOptions& options, const Clock& clock) {
  const config::Experiment experiment = load();
  const int n_workers = default_workers(experiment);
  if (!options.quiet) {
    std::printf("one process: %u cells on %d threads (mpirun -np N starts N ranks)\n",
                experiment.grid.rows * experiment.grid.columns, n_workers);
    std::fflush(stdout);
  }
  return run_in_process(experiment, options, n_workers, clock);
}

// While this process is still there: MPI may end it before main could say anything.
int say(const Error& error) {
  if (*error.what() != '\0') std::fprintf(stderr, "lipizz: %s\n", error.what());
  std::fflush(stderr);
  return static_cast<int>(error.code());
}

int abandon(comm::CommManager& comm, const Error& error) {
  comm.abort(say(error));
}

Outcome run_on_ranks(comm::Communicator world, const LoadExperiment& load,
                     const RunOptions& options, const Clock& clock) {
  comm::CommManager comm(std::move(world), clock);
  Outcome ended = run_rank(comm, load, options, clock, abandon);
  if (!ended.error) return ended;
  try {
    std::rethrow_exception(ended.error);
  } catch (const Error& told) {
    ended.exit_code = say(told);
  }
  return ended;
}

// Only rank 0 looks at the time, and need ask the scheduler.
RunOptions with_interruptions(const RunOptions& given, StopSignals& signals) {
  RunOptions options = given;
  options.survives_losses = launcher_survives_losses();
  options.stop_requested = [&signals] { return signals.requested(); };
  if (launcher_rank().value_or(0) == 0) {
    const auto left_s = slurm_time_left_s(output_of_command);
    options.time_limit_s = std::min(options.time_limit_s, left_s.value_or(options.time_limit_s));
  }
  return options;
}

}  // namespace

int run_training(const LoadExperiment& load, const RunOptions& given) {
  const SystemClock clock;
  const bool is_launched = comm::started_by_launcher();
  StopSignals signals(!is_launched);
  const RunOptions options = with_interruptions(given, signals);
  if (!is_launched) return run_alone(load, options, clock);
  comm::MpiSession session;
  comm::Communicator world = session.world();
  if (world.size() == 1) return run_alone(load, options, clock);
  const bool is_first = world.rank() == kMaster.value;
  const Outcome ended = run_on_ranks(std::move(world), load, options, clock);
  if (is_first) tell_launcher(ended.exit_code);
  if (ended.ending == comm::Ending::kAlone) {
    end_lost_siblings(ended.lost_pids);
    if (const auto job = comm::open_mpi_job()) comm::remove_shared_segments(*job);
  }
  if (ended.ending != comm::Ending::kTogether) session.leave_alone(ended.exit_code);
  session.leave(ended.exit_code);
  return ended.exit_code;
}

}  // namespace lipizz::app
