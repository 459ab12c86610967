#include "app/memory_estimate.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "data/dataset.hpp"
#include "nn/network/models.hpp"
#include "setup/engine.hpp"
#include "setup/validate.hpp"
#include "worker/memory.hpp"

namespace lipizz::app {

data::Description dataset_without_samples(const config::Experiment& experiment) {
  const data::DatasetEntry& entry = data::find_dataset(experiment.data.dataset);
  const nn::GanSpec fitting = nn::make_model(std::string(entry.model));
  data::Description about;
  about.name = entry.name;
  about.kind = entry.kind;
  about.n_classes = entry.n_classes;
  about.n_condition_channels = fitting.n_condition_channels;
  const nn::Shape& sample = fitting.discriminator.inputs;
  if (sample.size() == 3) {
    about.shape = {.height = sample[0], .width = sample[1], .channels = sample[2]};
  } else if (entry.kind == data::SampleKind::kImage) {  // its rows one after another
    const auto extent = static_cast<std::uint32_t>(std::lround(std::sqrt(fitting.sample())));
    about.shape = {.height = extent, .width = extent, .channels = 1};
  } else {
    about.shape = {.height = 1, .width = 1, .channels = fitting.sample()};
  }
  return about;
}

setup::MemoryEstimate estimate_memory(const config::Experiment& experiment,
                                      const comm::RunPlan& run_plan) {
  const data::Description dataset = data::describe_dataset(
      experiment.data.dataset,
      {.data_dir = experiment.data.dir, .max_samples = experiment.data.max_samples});
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
