#include "app/run_master.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/console_streams.hpp"
#include "app/dry_run.hpp"
#include "app/git_description.hpp"
#include "app/memory_estimate.hpp"
#include "app/pipeline_report.hpp"
#include "app/prepare_run.hpp"
#include "core/diagnosis.hpp"
#include "core/text.hpp"
#include "master/master.hpp"
#include "master/run_folder.hpp"
#include "setup/agreement/cell_placement.hpp"
#include "setup/memory_fit.hpp"
#include "setup/settings.hpp"

namespace lipizz::app {
namespace {

void send(comm::CommManager& comm, const comm::RunPlan& run_plan) {
  comm.broadcast_from_master(run_plan.encode(), "sending the run plan");
}

// All ranks leave with the code of the error in hand, which this one reports.
Outcome refuse(comm::CommManager& comm, const std::exception& error) {
  comm::RunPlan refusal;
  refusal.exit_code = static_cast<std::int32_t>(diagnosis_of(error).code);
  send(comm, refusal);
  return {.exit_code = refusal.exit_code, .error = diagnosed(std::current_exception())};
}

// Files that are not here may be on the workers' hosts, or be downloaded later.
setup::MemoryEstimate estimate_with_or_without_data(const PreparedRun& run, std::string& text) {
  try {
    return estimate_memory(run.experiment, run.run_plan);
  } catch (const DataError& error) {
    text += "memory: the samples of " + run.experiment.data.dataset +
            " are not counted: " + error.what() + "\n";
  }
  return estimate_memory(run.experiment, run.run_plan, dataset_without_samples(run.experiment));
}

// Says why nothing is trained. A dry run ends as the run itself would.
void describe(const PreparedRun& run, bool is_dry_run) {
  std::string text;
  for (const std::string& note : run.notes.lines) text += note + "\n";
  if (!is_dry_run) return print_now(text);
  const setup::MemoryEstimate estimate = estimate_with_or_without_data(run, text);
  text += dry_run_report(estimate, run.run_plan, run.inventory);
  text += pipeline_report(run.experiment, run.run_plan, estimate);
  for (const std::string& warning : run.notes.warnings) text += "warning: " + warning + "\n";
  print_now(text);
  expect_enough_memory(run, estimate);
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

// This program as a shell finds it: by its name alone where that leads to it.
std::string program_to_type() {
  std::error_code failure;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failure);
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (std::filesystem::equivalent(std::filesystem::path(folder) / "lipizz", self, failure)) {
      return "lipizz";
    }
  }
  return self.empty() ? "lipizz" : self.string();
}

master::RunOrigin origin_of(const PreparedRun& run, const RunOptions& options) {
  std::vector<std::string> command{"lipizz"};
  append(command, options.argv);
  const char* const launch = options.launch_id.empty() ? "" : " launch";
  return {.command = std::move(command),
          .git = kGitDescription,
          .notes = run.notes,
          .resume_command = program_to_type() + launch + " --resume"};
}

// As a run is checked that begins with cells that lie so.
master::Relocation::Fits fits_of(const PreparedRun& run) {
  return [&run](const std::vector<std::int32_t>& rank_of_cell) {
    comm::RunPlan moved = run.run_plan;
    moved.rank_of_cell = rank_of_cell;
    return std::ranges::none_of(memory_fits(run.experiment, moved, run.inventory),
                                &setup::MemoryFit::is_too_little);
  };
}

Outcome train(comm::CommManager& comm, const PreparedRun& run, const RunOptions& options,
              const Clock& clock) {
  comm.form_groups(setup::groups_of(run.run_plan, setup::torus_of(run.experiment)));
  std::optional<master::Master> master;
  Outcome outcome;
  try {
    master.emplace(comm, run.run_plan, run.experiment, run.inventory, origin_of(run, options),
                   console_streams(options.quiet),
                   master::Interruption{.request = options.stop_request,
                                        .until_s = clock.now_s() + options.time_limit_s},
                   fits_of(run), clock);
    outcome.exit_code = static_cast<int>(master->run());
  } catch (const comm::PeerLost&) {
    throw;
  } catch (...) {
    const bool is_worth_keeping = !options.resume_dir.empty() || (master && master->has_begun());
    if (!is_worth_keeping) master::remove_beginning(run.run_plan.output_dir, *run.lock);
    if (!master) throw;  // the workers wait for its first word
    outcome.error = diagnosed(std::current_exception());
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
    if (!run->run_plan.go) describe(*run, options.dry_run);
  } catch (const std::exception& error) {
    return refuse(comm, error);
  }
  if (!run->run_plan.go) {
    send(comm, {});
    return {};
  }
  send(comm, run->run_plan);
  return train(comm, *run, options, clock);
}

}  // namespace lipizz::app
