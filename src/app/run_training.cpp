#include "app/run_training.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
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

int run_alone(const LoadExperiment& load, RunOptions options, const Clock& clock) {
  expect_one_task();
  const config::Experiment experiment = load();
  options.place = "in one process (mpirun -np N starts N ranks)";
  return run_in_process(experiment, options, default_workers(experiment), clock);
}

// While this process is still there: MPI may end it before main could say anything.
int say(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    std::fprintf(stderr, "lipizz: %s\n", error.what());
    std::fflush(stderr);
    return static_cast<int>(error.code());
  }
}

void abort_job(comm::CommManager& comm, int exit_code, const std::exception_ptr& error) {
  if (error) say(error);
  comm.abort(exit_code);
}

Outcome run_on_ranks(comm::Communicator world, const LoadExperiment& load,
                     const RunOptions& options, const Clock& clock) {
  comm::CommManager comm(std::move(world), clock);
  Outcome outcome = run_rank(comm, load, options, clock, abort_job);
  if (outcome.error) outcome.exit_code = say(outcome.error);
  return outcome;
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
  const Outcome outcome = run_on_ranks(std::move(world), load, options, clock);
  if (is_first) tell_launcher(outcome.exit_code);
  if (outcome.ending == comm::Ending::kAlone) {
    end_lost_siblings(outcome.lost_pids);
    if (const auto job = comm::open_mpi_job()) comm::remove_shared_segments(*job);
  }
  if (outcome.ending != comm::Ending::kTogether) session.leave_alone(outcome.exit_code);
  session.leave(outcome.exit_code);
  return outcome.exit_code;
}

}  // namespace lipizz::app
