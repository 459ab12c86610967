#include "app/run_in_process.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "app/launch_plan.hpp"
#include "app/run_rank.hpp"
#include "comm/thread_world.hpp"
#include "core/error.hpp"
#include "core/first_error.hpp"
#include "setup/inventory.hpp"
#include "setup/layout.hpp"
#include "setup/settings.hpp"

namespace lipizz::app {
namespace {

std::uint32_t best_workers(const config::Experiment& experiment) {
  const std::uint32_t n_gpus = setup::usable_gpus(experiment);
  const std::uint32_t n_ranks = experiment.compute.ranks_per_cell;
  const std::uint32_t for_gpus = ranks_for_gpus(experiment.compute.device, n_gpus, n_ranks);
  if (for_gpus > 0) return std::max(1U, for_gpus / n_ranks);
  const std::uint32_t for_cores =
      std::max(1U, setup::usable_cores() / config::cores_per_worker(experiment));
  return n_gpus == 0 ? for_cores : std::max(for_cores, n_gpus + 1);
}

}  // namespace

int run_in_process(const config::Experiment& experiment, const RunOptions& options, int n_workers,
                   const Clock& clock) {
  const int n_ranks = 1 + n_workers * static_cast<int>(experiment.compute.ranks_per_cell);
  comm::ThreadWorld world(n_ranks);
  FirstError first_error;
  // All threads end, since none may wait for one that is gone.
  const auto end_all = [&](int rank, const std::exception_ptr& error) {
    if (error) first_error.take(error);
    world.abort(rank, static_cast<int>(ExitCode::kCommunication));
    return static_cast<int>(ExitCode::kInternal);
  };
  const auto abort = [&](comm::CommManager& comm, int, const std::exception_ptr& error) {
    end_all(comm.rank().value, error);
  };
  const auto run_one = [&](int rank) {
    try {
      comm::CommManager comm(world.communicator(rank), clock);
      const Outcome outcome = run_rank(
          comm, [&] { return experiment; }, options, clock, abort);
      if (outcome.error) first_error.take(outcome.error);
      return outcome.exit_code;
    } catch (...) {
      return end_all(rank, std::current_exception());
    }
  };
  std::vector<std::jthread> workers;
  const auto start_worker = [&](int rank) {
    try {
      workers.emplace_back(run_one, rank);
    } catch (const std::system_error& failure) {
      throw ConfigError("cannot start " + std::to_string(n_ranks) + " threads: " + failure.what() +
                        "; choose fewer with --set threads=N");
    }
  };
  int exit_code = static_cast<int>(ExitCode::kInternal);
  try {
    for (int rank = 1; rank < n_ranks; ++rank) start_worker(rank);
    exit_code = run_one(kMaster.value);
  } catch (...) {
    end_all(kMaster.value, std::current_exception());
  }
  workers.clear();
  first_error.rethrow();
  return exit_code;
}

int default_workers(const config::Experiment& experiment) {
  const std::uint32_t wanted =
      experiment.compute.threads > 0 ? experiment.compute.threads : best_workers(experiment);
  const std::uint32_t n_cells = setup::torus_of(experiment).cells();
  const bool has_gpus =
      ranks_for_gpus(experiment.compute.device, setup::usable_gpus(experiment)) > 0;
  return static_cast<int>(has_gpus ? std::min(wanted, n_cells)
                                   : setup::useful_ranks(experiment, wanted));
}

}  // namespace lipizz::app
