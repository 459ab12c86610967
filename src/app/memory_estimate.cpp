#include "app/memory_estimate.hpp"

#include <map>

#include "data/dataset.hpp"
#include "setup/engine.hpp"
#include "setup/validate.hpp"
#include "worker/memory.hpp"

namespace lipizz::app {

setup::MemoryEstimate estimate_memory(const config::Experiment& experiment,
                                      const comm::RunPlan& run_plan) {
  setup::MemoryEstimate estimate;
  estimate.dataset = data::describe_dataset(
      experiment.data.dataset,
      {.data_dir = experiment.data.dir, .max_samples = experiment.data.max_samples});
  setup::check_samples(experiment, estimate.dataset.n_train_within(experiment.data.max_samples));
  const nn::ConvolutionTable convolutions = setup::convolutions_of(experiment);
  const nn::Engine engine = setup::engine_of(experiment, run_plan.numerics, convolutions);
  std::map<std::size_t, setup::WorkerMemory> known;  // with as many cells they hold as much, nearly
  int rank = 0;
  for (const auto& cells : comm::cells_by_rank(run_plan.rank_of_cell, run_plan.devices.size())) {
    const Rank self{rank++};
    if (cells.empty()) continue;
    if (!known.contains(cells.size())) {
      known[cells.size()] =
          worker::memory_of(experiment, engine, estimate.dataset, cells, run_plan.survives_losses);
    }
    estimate.workers.push_back(
        {.rank = self,
         .n_cells = cells.size(),
         .memory = known.at(cells.size()),
         .is_on_gpu = run_plan.devices[static_cast<std::size_t>(self.value)] != "cpu"});
  }
  return estimate;
}

}  // namespace lipizz::app
