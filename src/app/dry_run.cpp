#include "app/dry_run.hpp"

#include <map>
#include <vector>

#include "data/dataset.hpp"
#include "setup/agreement/inventory_text.hpp"
#include "setup/engine.hpp"
#include "setup/memory_report.hpp"
#include "setup/validate.hpp"
#include "worker/memory.hpp"

namespace lipizz::app {
namespace {

// Workers with as many cells hold as much, nearly.
std::vector<setup::HostingWorker> hosting_workers(const config::Experiment& experiment,
                                                  const comm::RunPlan& run_plan,
                                                  const data::Dataset& dataset) {
  const nn::ConvolutionTable convolutions = setup::convolutions_of(experiment);
  const nn::Engine engine = setup::engine_of(experiment, run_plan.numerics, convolutions);
  std::map<std::size_t, setup::WorkerMemory> known;
  std::vector<setup::HostingWorker> workers;
  for (const Rank rank : comm::active_in(run_plan.rank_of_cell)) {
    const std::vector<CellId> cells = comm::cells_of(run_plan.rank_of_cell, rank);
    if (!known.contains(cells.size())) {
      known[cells.size()] =
          worker::memory_of(experiment, engine, dataset, cells, run_plan.survives_losses);
    }
    workers.push_back({.rank = rank, .n_cells = cells.size(), .memory = known.at(cells.size())});
  }
  return workers;
}

}  // namespace

std::string dry_run_report(const config::Experiment& experiment, const comm::RunPlan& run_plan,
                           std::span<const comm::InventoryEntry> inventory) {
  const auto dataset = data::open_dataset(
      experiment.data.dataset,
      {.data_dir = experiment.data.dir, .max_samples = experiment.data.max_samples});
  setup::check_samples(experiment, *dataset);
  std::string text;
  for (const auto& line : setup::inventory_lines(inventory, run_plan)) text += line + "\n";
  return text +
         setup::memory_report(hosting_workers(experiment, run_plan, *dataset), *dataset, inventory);
}

}  // namespace lipizz::app
