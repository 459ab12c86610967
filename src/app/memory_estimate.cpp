#include "app/memory_estimate.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>

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
  nn::Engine engine = setup::engine_of(experiment, run_plan.numerics, convolutions);
  nn::NoRanks ranks(run_plan.ranks_per_cell);
  if (ranks.size() > 1) engine.collectives = &ranks;
  std::map<std::size_t, setup::WorkerMemory> known;  // with as many cells they hold as much, nearly
  std::map<std::size_t, setup::WorkerMemory> helpers;
  int rank = 0;
  for (const auto& cells : comm::cells_by_rank(run_plan.rank_of_cell, run_plan.devices.size())) {
    const Rank self{rank++};
    if (cells.empty()) continue;
    if (!known.contains(cells.size())) {
      known[cells.size()] =
          worker::memory_of(experiment, engine, estimate.dataset, cells, run_plan.survives_losses);
      if (ranks.size() > 1) {
        helpers[cells.size()] =
            worker::memory_of_helper(experiment, engine, estimate.dataset, cells);
      }
    }
    for (const Rank of : comm::with_helpers(std::span(&self, 1), run_plan.ranks_per_cell)) {
      const auto& memory = of == self ? known : helpers;
      estimate.workers.push_back(
          {.rank = of,
           .n_cells = of == self ? cells.size() : 0,
           .memory = memory.at(cells.size()),
           .is_on_gpu = run_plan.devices[static_cast<std::size_t>(of.value)] != "cpu"});
    }
  }
  return estimate;
}

}  // namespace lipizz::app
