#include "app/memory_estimate.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "core/error.hpp"
#include "data/dataset.hpp"
#include "nn/base/collectives.hpp"
#include "setup/engine.hpp"
#include "setup/samples.hpp"
#include "setup/validate.hpp"
#include "worker/memory.hpp"
#include "worker/shared_resources.hpp"

namespace lipizz::app {

data::Description dataset_without_samples(const config::Experiment& experiment) {
  data::Description about;
  static_cast<data::SampleForm&>(about) = setup::form_of(experiment).value();
  about.name = experiment.data.dataset;
  return about;
}

setup::MemoryEstimate estimate_memory(const config::Experiment& experiment,
                                      const comm::RunPlan& run_plan) {
  data::OpenOptions options = setup::open_options(experiment);
  options.cache.lasting = worker::cache_folders({}).lasting;  // where an index may be from set-up
  const data::Description dataset = data::describe_dataset(experiment.data.dataset, options);
  setup::check_samples(experiment, dataset.n_train_within(experiment.data.max_samples));
  return estimate_memory(experiment, run_plan, dataset);
}

setup::MemoryEstimate estimate_memory(const config::Experiment& experiment,
                                      const comm::RunPlan& run_plan,
                                      const data::Description& dataset) {
  setup::MemoryEstimate estimate;
  estimate.dataset = dataset;
  const nn::ConvolutionTable convolutions = setup::convolutions_of(experiment);
  const nn::Engine engine = setup::engine_of(experiment, run_plan.numerics, convolutions);
  const std::uint32_t n_ranks = run_plan.ranks_per_cell;
  const nn::PipelineSpec pipeline = setup::pipeline_of(experiment);
  const auto memory_at = [&](std::uint32_t rank_in_cell, std::span<const CellId> cells) {
    nn::NoCell cell(n_ranks, rank_in_cell, pipeline);
    const nn::Engine its = n_ranks > 1 ? cell.engine(engine) : engine;
    return rank_in_cell == 0 ? worker::memory_of(experiment, its, estimate.dataset, cells,
                                                 run_plan.survives_losses)
                             : worker::memory_of_helper(experiment, its, estimate.dataset, cells);
  };
  // With as many cells, workers hold as much, nearly, and so do helpers of the same stage, of which
  // the first has no fewer micro-batches than others.
  std::map<std::pair<std::size_t, std::uint32_t>, setup::WorkerMemory> known;
  int rank = 0;
  for (const auto& cells : comm::cells_by_rank(run_plan.rank_of_cell, run_plan.devices.size())) {
    const Rank self{rank++};
    if (cells.empty()) continue;
    for (std::uint32_t i = 0; i < n_ranks; ++i) {
      const std::uint32_t stage = i % pipeline.n_stages;
      const std::uint32_t alike = i == 0 || stage > 0 ? stage : pipeline.n_stages;
      const auto key = std::pair(cells.size(), alike);
      if (!known.contains(key)) known[key] = memory_at(alike, cells);
      const Rank of{self.value + static_cast<int>(i)};
      estimate.workers.push_back(
          {.rank = of,
           .n_cells = i == 0 ? cells.size() : 0,
           .memory = known.at(key),
           .is_on_gpu = run_plan.devices[static_cast<std::size_t>(of.value)] != "cpu"});
    }
  }
  return estimate;
}

std::vector<setup::MemoryFit> memory_fits(const config::Experiment& experiment,
                                          const comm::RunPlan& run_plan,
                                          std::span<const comm::InventoryEntry> inventory) {
  if (!experiment.compute.check_memory) return {};
  try {
    return setup::memory_fits(estimate_memory(experiment, run_plan), inventory);
  } catch (const DataError&) {
    return {};  // the workers will say if the files are not there either
  }
}

}  // namespace lipizz::app
