#include "app/run_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/dataset.hpp"
#include "nn/models.hpp"
#include "nn/network.hpp"
#include "worker/translate.hpp"

namespace lipizz::app {
namespace {

std::size_t network_bytes(const nn::NetworkSpec& network) {
  return nn::parameter_layout(network).n_padded * sizeof(float);
}

std::size_t n_neighbours_at_most(const config::Experiment& experiment) {
  const grid::Torus torus = worker::torus_of(experiment);
  const grid::Schedule schedule = worker::schedule_of(experiment);
  std::size_t most = 0;
  for (const auto& entry : schedule.entries()) {
    most = std::max(most, entry.neighbourhood->neighbours(torus, CellId{0}).size());
  }
  return most;
}

double megabytes(std::size_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

std::size_t dataset_bytes(const data::Dataset& dataset) {
  const bool is_image = dataset.kind() == data::SampleKind::kImage;
  const std::size_t value_bytes = is_image ? 1 : sizeof(float);
  return (std::size_t{dataset.n_train_full()} + dataset.n_test()) * dataset.shape().size() *
         value_bytes;
}

}  // namespace

std::size_t cell_bytes(const config::Experiment& experiment) {
  const coev::Settings settings = worker::settings_of(experiment);
  const auto state_bytes = [](const nn::NetworkSpec& network, const nn::OptimizerSpec& optimizer) {
    return network_bytes(network) * (1 + nn::entry(optimizer.kind).n_moments);
  };
  const std::size_t weights =
      network_bytes(settings.model.generator) + network_bytes(settings.model.discriminator);
  const std::size_t states =
      state_bytes(settings.model.generator, settings.generator.optimizer) +
      state_bytes(settings.model.discriminator, settings.discriminator.optimizer);
  const std::size_t published = settings.tournament_size > 1 ? states : weights;
  return 2 * states + (2 * n_neighbours_at_most(experiment) + 2) * published;
}

std::string memory_estimate(const config::Experiment& experiment, const comm::Verdict& verdict) {
  std::size_t most_cells = 0;
  for (const Rank rank : comm::active_in(verdict.rank_of_cell)) {
    most_cells = std::max(most_cells, comm::cells_of(verdict.rank_of_cell, rank).size());
  }
  const auto dataset = data::open_dataset(experiment.data.dataset,
                                          {experiment.data.dir, experiment.data.max_samples});
  const std::size_t cell = cell_bytes(experiment);
  return fmt::format(
      "memory: {:.1f} MB of networks to a cell, {:.1f} MB on the busiest rank ({} cells), "
      "{:.1f} MB of {} shared by the ranks of a host\n",
      megabytes(cell), megabytes(cell * most_cells), most_cells, megabytes(dataset_bytes(*dataset)),
      dataset->name());
}

}  // namespace lipizz::app
