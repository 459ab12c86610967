#include "worker/memory.hpp"

#include <algorithm>
#include <set>

#include "coev/cell.hpp"
#include "coev/fitness_evaluator.hpp"
#include "coev/island.hpp"
#include "coev/mixture_scoring.hpp"
#include "coev/neighbours.hpp"
#include "coev/publication.hpp"
#include "coev/trainer.hpp"
#include "grid/buddies.hpp"
#include "metrics/block_means.hpp"
#include "metrics/classifier.hpp"
#include "setup/settings.hpp"
#include "worker/cell_copies.hpp"
#include "worker/cell_saver.hpp"
#include "worker/exchange.hpp"
#include "worker/sample_writer.hpp"
#include "worker/shared_resources.hpp"

namespace lipizz::worker {
namespace {

// The neighbours of the hosted cells, in the generations in which there are most.
struct Surroundings {
  std::size_t neighbours = 0;  // different cells, hosted ones among them
  std::size_t arriving = 0;    // publications from other workers in a generation
  std::size_t members = 0;     // of one neighbourhood, the cell itself among them
};

Surroundings surroundings_of(const config::Experiment& experiment, std::span<const CellId> hosted) {
  const grid::Torus torus = setup::torus_of(experiment);
  Surroundings most;
  const grid::Schedule schedule = setup::schedule_of(experiment);
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

bool has_judge(const data::Dataset& dataset) {
  return dataset.kind() == data::SampleKind::kImage && dataset.n_classes() > 0;
}

std::size_t features_per_sample(const data::Dataset& dataset) {
  return dataset.n_classes() > 0 ? metrics::ClassifierFeatures::kPerSample
                                 : metrics::BlockMeans::kMostValues + 1;
}

}  // namespace

setup::WorkerMemory memory_of(const config::Experiment& experiment, const nn::Engine& engine,
                              const data::Dataset& dataset, std::span<const CellId> hosted,
                              bool survives_losses) {
  const coev::Settings settings = setup::settings_of(experiment);
  const std::size_t state = coev::pair_bytes(settings).state;
  const Surroundings most = surroundings_of(experiment, hosted);
  const std::size_t n = hosted.size();
  return {
      .cells = coev::Island::bytes(settings, n),
      .neighbours = coev::Neighbours::bytes(settings, most.neighbours),
      .messages = Exchange::bytes(coev::publication_bytes(settings), n, most.arriving) +
                  CellSaver::bytes(state, n) +
                  (survives_losses ? CellCopies::bytes(state, n, grid::kBuddies) : 0),
      .programs = coev::Trainer::bytes(settings, engine) +
                  coev::FitnessEvaluator::bytes(settings, engine, most.members) +
                  coev::MixtureSampler::bytes(settings, engine) +
                  (has_judge(dataset) ? SharedResources::judge_bytes(dataset) +
                                            metrics::ClassifierFeatures::bytes(dataset, engine)
                                      : 0),
      .samples = coev::MixtureScoring::bytes(settings, most.members, features_per_sample(dataset)) +
                 SampleWriter::bytes(experiment, dataset, n) + coev::Trainer::order_bytes(dataset)};
}

}  // namespace lipizz::worker
