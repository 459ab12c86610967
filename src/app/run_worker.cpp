#include "app/run_worker.hpp"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <string_view>

#include "core/time_slice.hpp"
#include "setup/agreement/cell_placement.hpp"
#include "setup/settings.hpp"
#include "setup/speed.hpp"
#include "worker/worker.hpp"
#include "worker/worker_context.hpp"

namespace lipizz::app {
namespace {

// The workers of this rank's node may outnumber its cores.
bool must_share_a_core(const comm::RunPlan& run_plan, Rank rank) {
  const auto host = [&](Rank r) { return run_plan.hosts[static_cast<std::size_t>(r.value)]; };
  const auto here = std::ranges::count(comm::active_in(run_plan.rank_of_cell), host(rank), host);
  return here > sysconf(_SC_NPROCESSORS_ONLN);
}

// The master's answer to what this rank tells it.
comm::RunPlan tell_master(comm::CommManager& comm, const comm::InventoryEntry& entry,
                          std::string_view what) {
  comm.gather_at_master(entry.encode(), what);
  return comm::RunPlan::decode(comm.broadcast_from_master({}, "waiting for the run plan"));
}

// A failure goes to the master in place of the speed.
void measure_speed(comm::InventoryEntry& entry, worker::WorkerContext& context,
                   const Clock& clock) {
  const config::Experiment& experiment = context.experiment();
  try {
    entry.speed = setup::measure_speed(context.device(), setup::settings_of(experiment),
                                       setup::torus_of(experiment).cells(), clock);
  } catch (const std::exception& error) {
    record_failure(entry, error);
  }
}

}  // namespace

Outcome run_worker(comm::CommManager& comm, RankSetup own, const Clock& clock) {
  comm::RunPlan run_plan = tell_master(comm, own.entry, "taking the inventory");
  if (!run_plan.go) return {.exit_code = run_plan.exit_code};
  worker::WorkerContext context(run_plan, comm.rank(), own.experiment.data.dir);
  if (run_plan.asks_for_speed) {
    measure_speed(own.entry, context, clock);
    run_plan = tell_master(comm, own.entry, "telling how quickly it trains");
    if (!run_plan.go) return {.exit_code = run_plan.exit_code};
  }
  comm.form_groups(setup::groups_of(run_plan, setup::torus_of(own.experiment)));
  // Threads inherit it: on a crowded node a message waits for its core rather than take it from
  // another worker's training, whose caches it would cost.
  if (must_share_a_core(run_plan, comm.rank())) prefer_long_time_slices();
  const comm::Stop stop = worker::Worker(comm, run_plan, context, clock).run();
  return {.exit_code = stop.exit_code, .ending = stop.ending};
}

}  // namespace lipizz::app
