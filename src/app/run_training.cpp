#include "app/run_training.hpp"

#include <cstdio>
#include <string>

#include "app/run_in_process.hpp"
#include "app/run_rank.hpp"
#include "comm/comm_manager.hpp"
#include "comm/mpi_session.hpp"
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

// MPI ends all processes before this one could say anything later.
int abandon(comm::CommManager& comm, const comm::PeerLost& lost) {
  if (*lost.what() != '\0') std::fprintf(stderr, "lipizz: %s\n", lost.what());
  std::fflush(stderr);
  comm.abort(static_cast<int>(lost.code()));
}

}  // namespace

int run_training(const LoadExperiment& load, const RunOptions& options) {
  const SystemClock clock;
  if (!comm::started_by_launcher()) return run_alone(load, options, clock);
  comm::MpiSession session;
  comm::Communicator world = session.world();
  if (world.size() == 1) return run_alone(load, options, clock);
  comm::CommManager comm(std::move(world), clock);
  return run_rank(comm, load, options, clock, abandon);
}

}  // namespace lipizz::app
