#include "app/run_master.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "app/console_streams.hpp"
#include "app/dry_run.hpp"
#include "app/prepare_run.hpp"
#include "core/error.hpp"
#include "master/master.hpp"
#include "setup/agreement/cell_placement.hpp"
#include "setup/settings.hpp"

namespace lipizz::app {
namespace {

void send(comm::CommManager& comm, const comm::RunPlan& run_plan) {
  comm.broadcast_from_master(run_plan.encode(), "sending the run plan");
}

// All ranks leave with the code of the error in hand, which this one reports.
Outcome refuse(comm::CommManager& comm, const Error& error) {
  comm::RunPlan refusal;
  refusal.exit_code = static_cast<std::int32_t>(error.code());
  send(comm, refusal);
  return {.exit_code = refusal.exit_code, .error = std::current_exception()};
}

// Says why nothing is trained.
void describe(const PreparedRun& run, bool is_dry_run) {
  std::string text;
  for (const std::string& note : run.notes) text += note + "\n";
  if (is_dry_run) text += dry_run_report(run.experiment, run.run_plan, run.inventory);
  print_now(text);
}

// Processes of the master's host that were given up. They may only sleep, and a launcher waits for
// all of its processes.
std::vector<std::uint32_t> lost_pids(const std::vector<comm::InventoryEntry>& inventory,
                                     const std::set<Rank>& lost) {
  std::vector<std::uint32_t> pids;
  for (const Rank rank : lost) {
    const comm::InventoryEntry& entry = inventory[static_cast<std::size_t>(rank.value)];
    if (entry.host == inventory.front().host) pids.push_back(entry.pid);
  }
  return pids;
}

Outcome train(comm::CommManager& comm, const PreparedRun& run, const RunOptions& options,
              const Clock& clock) {
  comm.form_groups(setup::groups_of(run.run_plan, setup::torus_of(run.experiment)));
  std::optional<master::Master> master;
  Outcome outcome;
  try {
    master.emplace(comm, run.run_plan, run.experiment, run.inventory, run.notes,
                   console_streams(options.quiet),
                   master::Interruption{.requested = options.stop_requested,
                                        .until_s = clock.now_s() + options.time_limit_s},
                   clock);
    outcome.exit_code = static_cast<int>(master->run());
  } catch (const comm::PeerLost&) {
    throw;
  } catch (...) {
    std::error_code ignored;
    const bool is_worth_keeping = !options.resume_dir.empty() || (master && master->has_begun());
    if (!is_worth_keeping) std::filesystem::remove_all(run.run_plan.output_dir, ignored);
    if (!master) throw;  // the workers wait for its first word
    outcome.error = std::current_exception();
  }
  outcome.ending = master->ending();
  outcome.lost_pids = lost_pids(run.inventory, master->lost());
  return outcome;
}

}  // namespace

Outcome run_master(comm::CommManager& comm, RankSetup own, const RunOptions& options,
                   const Clock& clock) {
  std::optional<PreparedRun> run;
  try {
    run = prepare_run(comm, std::move(own), options);
  } catch (const Error& error) {
    return refuse(comm, error);
  }
  send(comm, run->run_plan);
  if (run->run_plan.go) return train(comm, *run, options, clock);
  describe(*run, options.dry_run);
  return {};
}

}  // namespace lipizz::app
