#include "app/run_training.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "app/command_output.hpp"
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
#include "core/diagnosis.hpp"

namespace lipizz::app {
namespace {

// A rank that leaves alone makes mpirun complain; without ranks nobody does.
constexpr double kPatienceWithRanks_s = 5;
constexpr double kPatienceAlone_s = 0.3;

int run_alone(const LoadExperiment& load, RunOptions options, const Clock& clock) {
  expect_one_task();
  const config::Experiment experiment = load();
  options.place = "in one process (lipizz launch starts ranks)";
  return run_in_process(experiment, options, default_workers(experiment), clock);
}

// While this process is still there: MPI may end it before main could say anything.
int say(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    const Diagnosis diagnosis = diagnosis_of(error);
    std::fprintf(stderr, "lipizz: %s\n", diagnosis.message.c_str());
    std::fflush(stderr);
    return static_cast<int>(diagnosis.code);
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

// Ends this process though a training thread may still be in the middle of something: what the run
// was asked to save is saved.
void end_process(double patience_s, std::int32_t exit_code) {
  const int code = code_to_leave_with(exit_code, launcher_rank() == kMaster.value);
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::duration<double>(patience_s));
    _exit(code);
  }).detach();
}

// Only rank 0 looks at the time, and need ask the scheduler.
RunOptions with_interruptions(const RunOptions& given, double patience_s) {
  RunOptions options = given;
  options.survives_losses = launcher_survives_losses();
  options.launch_id = launch_id();
  options.when_left_early = [patience_s](std::int32_t code) { end_process(patience_s, code); };
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
  std::optional<StopSignals> signals;  // none in a dry run, which has nothing to save
  if (!given.dry_run) signals.emplace();
  if (is_launched) take_orphanhood_for_sigterm();
  const RunOptions options =
      with_interruptions(given, is_launched ? kPatienceWithRanks_s : kPatienceAlone_s);
  std::optional<StopWatch> watch;
  if (signals) watch.emplace(*signals, options.stop_request);
  if (!is_launched) return run_alone(load, options, clock);
  if (is_first_on_host()) {
    comm::remove_stale_segments(std::filesystem::file_time_type::clock::now());
  }
  comm::MpiSession session;
  comm::Communicator world = session.world();
  if (world.size() == 1) return run_alone(load, options, clock);
  const bool is_first = world.rank() == kMaster.value;
  const Outcome outcome = run_on_ranks(std::move(world), load, options, clock);
  const int exit_code = code_to_leave_with(outcome.exit_code, is_first);
  if (outcome.ending == comm::Ending::kAlone) {
    end_lost_siblings(outcome.lost_pids);
    if (const auto job = comm::open_mpi_job()) comm::remove_shared_segments(*job);
  }
  if (outcome.ending != comm::Ending::kTogether) session.leave_alone(outcome.exit_code);
  session.leave(exit_code);
  return exit_code;
}

}  // namespace lipizz::app
