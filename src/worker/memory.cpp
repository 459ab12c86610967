#include "worker/memory.hpp"

#include <algorithm>
#include <set>

#include "coev/fitness.hpp"
#include "coev/selection.hpp"
#include "grid/buddies.hpp"
#include "metrics/block_means.hpp"
#include "metrics/classifier.hpp"
#include "nn/train/program_memory.hpp"
#include "worker/sample_writer.hpp"
#include "worker/translate.hpp"

namespace lipizz::worker {
namespace {

constexpr std::size_t kFloat = sizeof(float);

// Of both networks of a pair.
struct PairBytes {
  std::size_t state;
  std::size_t published;  // what travels of it
};

PairBytes pair_bytes(const coev::Settings& settings) {
  const auto [g, d] = coev::genome_shapes(settings);
  const std::size_t weights = (g.n_parameters + g.n_average + d.n_parameters) * kFloat;
  const std::size_t state = weights + (g.n_moments + d.n_moments) * kFloat;
  return {state, coev::selects(settings) ? state : weights};
}

// Who is around the hosted cells when most are.
struct Around {
  std::size_t neighbours = 0;  // different cells, hosted ones among them
  std::size_t arriving = 0;    // publications from other workers
  std::size_t members = 0;     // of one neighbourhood, the cell itself among them
};

Around around(const config::Experiment& experiment, std::span<const CellId> hosted) {
  const grid::Torus torus = torus_of(experiment);
  Around most;
  const grid::Schedule schedule = schedule_of(experiment);
  for (const auto& entry : schedule.entries()) {
    std::set<CellId> all;
    std::size_t arriving = 0;
    for (const CellId cell : hosted) {
      const auto neighbours = entry.neighbourhood->neighbours(torus, cell);
      all.insert(neighbours.begin(), neighbours.end());
      arriving += static_cast<std::size_t>(std::ranges::count_if(neighbours, [&](CellId neighbour) {
        return std::ranges::find(hosted, neighbour) == hosted.end();
      }));
      most.members = std::max(most.members, neighbours.size() + 1);
    }
    most.neighbours = std::max(most.neighbours, all.size());
    most.arriving = std::max(most.arriving, arriving);
  }
  return most;
}

std::size_t fitness_bytes(const coev::Settings& s, const nn::Engine& engine,
                          std::size_t n_members) {
  const std::uint32_t rows = std::min(coev::rows_at_once(s.model), s.fitness.n_samples);
  const std::size_t row = s.model.latent() + (1 + n_members) * s.model.sample() + 1;
  return nn::inference_bytes(engine, s.model.generator, rows) +
         nn::inference_bytes(engine, s.model.discriminator, rows) + rows * row * kFloat;
}

std::size_t sampling_bytes(const coev::Settings& s, const nn::Engine& engine) {
  const std::uint32_t rows = coev::rows_at_once(s.model);
  return nn::inference_bytes(engine, s.model.generator, rows) +
         std::size_t{rows} * (s.model.latent() + s.model.sample()) * kFloat;
}

// The classifier, as it came and in use.
std::size_t judge_bytes(const data::Dataset& dataset, const nn::Engine& engine) {
  if (dataset.kind() != data::SampleKind::kImage || dataset.n_classes() == 0) return 0;
  const auto network = metrics::classifier_network(dataset);
  constexpr std::uint32_t kRows = metrics::ClassifierFeatures::kBatch;
  return 2 * nn::parameter_layout(network).n_padded * kFloat +
         nn::inference_bytes(engine, network, kRows) +
         std::size_t{kRows} * dataset.shape().size() * kFloat;
}

std::size_t sample_bytes(const config::Experiment& experiment, const data::Dataset& dataset,
                         std::size_t n_hosted, std::size_t n_members) {
  const std::size_t scored = std::max<std::size_t>(experiment.score.n_samples,
                                                   n_members * experiment.score.n_samples_training);
  const std::size_t per_sample = dataset.n_classes() > 0 ? metrics::ClassifierFeatures::kPerSample
                                                         : metrics::BlockMeans::kMostValues + 1;
  // Each cell's improvements, and the one that is being made.
  const std::size_t pictures = (n_hosted * SampleWriter::kKeptImprovements + 1) *
                               experiment.samples.rows * experiment.samples.columns;
  return (scored * per_sample + pictures * dataset.shape().size() + dataset.n_train()) * kFloat;
}

}  // namespace

std::size_t training_bytes(const coev::Settings& settings, const nn::Engine& engine) {
  return nn::generator_step_bytes(engine, settings.model, settings.generator.optimizer,
                                  settings.batch_size, settings.steps) +
         nn::discriminator_step_bytes(engine, settings.model, settings.discriminator.optimizer,
                                      settings.batch_size, settings.steps);
}

Memory memory_of(const config::Experiment& experiment, const nn::Engine& engine,
                 const data::Dataset& dataset, std::span<const CellId> hosted,
                 bool survives_losses) {
  const coev::Settings settings = settings_of(experiment);
  const PairBytes pair = pair_bytes(settings);
  const Around most = around(experiment, hosted);
  const std::size_t n = hosted.size();
  constexpr std::size_t kGenerations = 2;  // that publications and copies are kept of
  const std::size_t copies = survives_losses ? kGenerations * (1 + grid::kBuddies) * n : 0;
  return {
      .cells = (n + 1) * pair.state,
      .neighbours = most.neighbours * pair.published,
      .messages = (kGenerations * n + most.arriving) * pair.published + (n + copies) * pair.state,
      .programs = training_bytes(settings, engine) + fitness_bytes(settings, engine, most.members) +
                  sampling_bytes(settings, engine) + judge_bytes(dataset, engine),
      .samples = sample_bytes(experiment, dataset, n, most.members)};
}

}  // namespace lipizz::worker
