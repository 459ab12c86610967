#include "app/run_in_process.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

#include "app/run_inventory.hpp"
#include "app/run_rank.hpp"
#include "comm/thread_world.hpp"
#include "core/error.hpp"

namespace lipizz::app {
namespace {

// Every other rank's calls throw from now on, so that all threads end; the loss itself is what the
// caller gets to hear.
int abandon(comm::CommManager& comm, const comm::PeerLost& lost) {
  try {
    comm.abort(static_cast<int>(ExitCode::kCommunication));
  } catch (const CommError&) {
  }
  throw lost;
}

}  // namespace

int run_in_process(const config::Experiment& experiment, const RunOptions& options, int n_workers,
                   const Clock& clock) {
  comm::ThreadWorld world(n_workers + 1);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(n_workers) + 1);
  const auto play = [&](int rank) {
    try {
      comm::CommManager comm(world.communicator(rank), clock);
      return run_rank(
          comm, [&] { return experiment; }, options, clock, abandon);
    } catch (...) {
      failures[static_cast<std::size_t>(rank)] = std::current_exception();
      return static_cast<int>(ExitCode::kInternal);
    }
  };
  std::vector<std::jthread> workers;
  for (int rank = 1; rank <= n_workers; ++rank) workers.emplace_back(play, rank);
  const int exit_code = play(kMaster.value);
  workers.clear();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return exit_code;
}

int default_workers(const config::Experiment& experiment) {
  const std::uint32_t wanted = experiment.threads > 0 ? experiment.threads : usable_cores();
  return static_cast<int>(std::min(wanted, experiment.grid.rows * experiment.grid.columns));
}

}  // namespace lipizz::app
