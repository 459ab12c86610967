#include "app/run_worker.hpp"

#include <exception>
#include <string_view>

#include "setup/agreement/cell_placement.hpp"
#include "setup/settings.hpp"
#include "setup/speed.hpp"
#include "worker/worker.hpp"
#include "worker/worker_context.hpp"

namespace lipizz::app {
namespace {

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

Outcome run_worker(comm::CommManager& comm, RankSetup own, const RunOptions& options,
                   const Clock& clock) {
  comm::RunPlan run_plan = tell_master(comm, own.entry, "taking the inventory");
  if (!run_plan.go) return {.exit_code = run_plan.exit_code};
  worker::WorkerContext context(run_plan, comm.rank(), own.experiment.data.dir);
  if (run_plan.asks_for_speed) {
    measure_speed(own.entry, context, clock);
    run_plan = tell_master(comm, own.entry, "telling how quickly it trains");
    if (!run_plan.go) return {.exit_code = run_plan.exit_code};
  }
  comm.form_groups(setup::groups_of(run_plan, setup::torus_of(own.experiment)));
  worker::Worker worker(comm, run_plan, context, clock,
                        {.request = options.stop_request, .when_told = options.when_left_early});
  const comm::Stop stop = worker.run();
  return {.exit_code = stop.exit_code, .ending = stop.ending};
}

}  // namespace lipizz::app
