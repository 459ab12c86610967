#include "app/prepare_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "app/launcher.hpp"
#include "app/layout_choice.hpp"
#include "app/memory_estimate.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "master/resumption.hpp"
#include "master/set_aside.hpp"
#include "setup/agreement/agreement.hpp"
#include "setup/agreement/cell_placement.hpp"
#include "setup/agreement/inventory_text.hpp"
#include "setup/memory_fit.hpp"
#include "setup/resolve.hpp"
#include "setup/run_plan.hpp"
#include "setup/samples.hpp"
#include "setup/settings.hpp"
#include "setup/validate.hpp"
#include "worker/shared_resources.hpp"

namespace lipizz::app {
namespace {

std::vector<comm::InventoryEntry> gather_inventory(comm::CommManager& comm,
                                                   const comm::InventoryEntry& own,
                                                   std::string_view what) {
  std::vector<comm::InventoryEntry> inventory;
  for (const Bytes& entry : comm.gather_at_master(own.encode(), what)) {
    inventory.push_back(comm::InventoryEntry::decode(entry));
  }
  return inventory;
}

// The workers measure how quickly they train, and tell the inventory again.
void measure_speeds(PreparedRun& run, comm::CommManager& comm, const comm::InventoryEntry& own) {
  comm.broadcast_from_master(run.run_plan.encode(), "asking how quickly workers train");
  run.inventory = gather_inventory(comm, own, "waiting for how quickly workers train");
  setup::check_agreement(run.inventory);
  run.run_plan.asks_for_speed = false;
}

std::filesystem::path output_dir(const PreparedRun& run, const RunOptions& options) {
  if (!options.output_dir.empty()) return options.output_dir;
  return master::default_output_dir(run.experiment.name, std::chrono::system_clock::now(),
                                    name_of_process());
}

void hold_folder(PreparedRun& run, const std::filesystem::path& folder, const RunOptions& options) {
  if (!run.run_plan.go) return;
  run.lock = std::make_unique<master::RunFolderLock>(folder, options.launch_id);
  if (!run.lock->doubt().empty()) run.notes.warnings.push_back(run.lock->doubt());
}

// Files of one's own tell the master what their samples are, unless the settings do.
void find_form(config::Experiment& experiment, const std::filesystem::path& folder,
               master::StartNotes& notes) {
  if (setup::form_of(experiment)) return;
  data::OpenOptions data = setup::open_options(experiment);
  data.cache = worker::cache_folders(folder);
  data.log = {.info = [&](std::string_view line) { notes.lines.emplace_back(line); },
              .warning = [&](std::string_view line) { notes.warnings.emplace_back(line); }};
  experiment = setup::resolved(setup::with_form(std::move(experiment), data));
  setup::validate(experiment);
}

void make_folder(PreparedRun& run, const RunOptions& options) {
  const std::filesystem::path folder = output_dir(run, options);
  if (!run.run_plan.go) {
    master::check_run_folder(folder);
    return;
  }
  setup::check_memory(memory_fits(run.experiment, run.run_plan, run.inventory));
  run.run_plan.output_dir = master::make_run_folder(folder).string();
  hold_folder(run, run.run_plan.output_dir, options);
  master::expect_unbegun(run.run_plan.output_dir);
}

void resume_in_folder(PreparedRun& run, const RunOptions& options) {
  const std::filesystem::path folder = master::existing_run_folder(options.resume_dir);
  hold_folder(run, folder, options);  // nobody changes it any more while it is looked at
  const auto unusable =
      options.from_seed ? master::Unusable::kBeginAgain : master::Unusable::kRefuse;
  const master::Resumption from = master::find_resumption(folder, run.experiment, unusable);
  run.run_plan.output_dir = from.folder.string();
  run.run_plan.start = from.start;
  append(run.notes.lines, from.notes);
  if (from.is_finished) run.run_plan.go = false;
  if (run.run_plan.go) {
    setup::check_memory(memory_fits(run.experiment, run.run_plan, run.inventory));
  }
  if (from.is_begun_again && run.run_plan.go) {
    run.notes.lines.push_back("what it had saved is in " +
                              master::set_progress_aside(from.folder).string());
  }
}

// `4 workers`, `2 workers of 2 ranks each`
std::string workers_text(const PreparedRun& run) {
  const std::uint32_t n = run.run_plan.ranks_per_cell;
  const std::string workers = counted((run.inventory.size() - 1) / n, "worker");
  return n == 1 ? workers : fmt::format("{} of {} ranks each", workers, n);
}

// `training mlp on glyphs: 2x2 cells on 4 workers, device cpu, under MPI; the run's folder is
// runs/a`
std::string heading(const PreparedRun& run, const std::string& place) {
  const config::Experiment& e = run.experiment;
  return fmt::format("training {} on {}: {}x{} {} on {}, device {}, {}; the run's folder is {}",
                     e.model.is_written_out() ? "a model of its own" : e.model.name, e.data.dataset,
                     e.grid.rows, e.grid.columns,
                     e.grid.rows * e.grid.columns == 1 ? "cell" : "cells", workers_text(run),
                     e.compute.device, place, run.run_plan.output_dir);
}

}  // namespace

PreparedRun prepare_run(comm::CommManager& comm, RankSetup own, const RunOptions& options) {
  auto inventory = gather_inventory(comm, own.entry, "taking the inventory");
  setup::check_agreement(inventory);
  master::StartNotes notes;
  find_form(own.experiment, options.output_dir, notes);
  const setup::RunMode mode{.is_dry_run = options.dry_run,
                            .survives_losses = options.survives_losses};
  own.experiment = with_chosen_layout(std::move(own.experiment), inventory, mode, notes.lines);
  setup::Agreement agreement = setup::agree(inventory, std::move(own.experiment), mode);
  append(notes.lines, agreement.notes);
  PreparedRun run{.experiment = std::move(agreement.experiment),
                  .inventory = std::move(inventory),
                  .run_plan = std::move(agreement.run_plan),
                  .notes = std::move(notes)};
  if (run.run_plan.asks_for_speed) measure_speeds(run, comm, own.entry);
  run.run_plan.rank_of_cell = setup::place_cells(run.inventory, setup::torus_of(run.experiment),
                                                 run.run_plan.ranks_per_cell);
  if (options.resume_dir.empty()) {
    make_folder(run, options);
  } else {
    resume_in_folder(run, options);
  }
  const std::string too_few =
      setup::core_warning(run.inventory, run.experiment.compute.threads_per_worker);
  if (!too_few.empty()) run.notes.warnings.push_back(too_few);
  if (run.run_plan.go) {
    run.notes.lines.insert(run.notes.lines.begin(), heading(run, options.place));
  }
  return run;
}

void expect_enough_memory(const PreparedRun& run, const setup::MemoryEstimate& estimate) {
  if (run.experiment.compute.check_memory) {
    setup::check_memory(setup::memory_fits(estimate, run.inventory));
  }
}

}  // namespace lipizz::app
