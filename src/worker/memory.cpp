#include "worker/memory.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "coev/cell.hpp"
#include "coev/fitness_evaluator.hpp"
#include "coev/generator_runner.hpp"
#include "coev/island.hpp"
#include "coev/mixture_scoring.hpp"
#include "coev/neighbours.hpp"
#include "coev/publication.hpp"
#include "coev/sample_orders.hpp"
#include "coev/shared_training.hpp"
#include "coev/trainer.hpp"
#include "grid/buddies.hpp"
#include "metrics/block_means.hpp"
#include "metrics/classifier.hpp"
#include "metrics/scorer.hpp"
#include "nn/base/collectives.hpp"
#include "nn/network/network_stages.hpp"
#include "nn/train/gradient_buckets.hpp"
#include "nn/train/micro_batch.hpp"
#include "nn/train/rank_parts.hpp"
#include "parallel/cell_collectives.hpp"
#include "setup/settings.hpp"
#include "worker/best_mixture.hpp"
#include "worker/cell_copies.hpp"
#include "worker/exchange.hpp"
#include "worker/sample_writer.hpp"
#include "worker/shared_resources.hpp"

namespace lipizz::worker {
namespace {

// The neighbours of the hosted cells, in the generations in which there are most.
struct Surroundings {
  std::size_t neighbours = 0;  // different cells, hosted ones among them
  std::size_t arriving = 0;    // publications from other workers in a generation
  std::size_t read = 0;        // hosted cells that other workers read
  std::size_t members = 0;     // of one neighbourhood, the cell itself among them
};

// All that a neighbourhood of this cell can reach is hosted as well. `reach` is above 0.
bool is_inner(std::span<const CellId> hosted, std::size_t i, std::size_t reach) {
  return i >= reach && i + reach < hosted.size() &&
         hosted[i].value - hosted[i - reach].value == reach &&
         hosted[i + reach].value - hosted[i].value == reach;
}

// Among the hosted cells, which ascend, those at the ends of blocks alone are looked at one by one:
// grids may have millions. A cell with a hosted neighbour is a neighbour of that one.
Surroundings surroundings_in(const grid::Neighbourhood& neighbourhood, const grid::Torus& torus,
                             std::span<const CellId> hosted) {
  Surroundings found;
  std::set<CellId> elsewhere;
  const std::size_t reach = std::size_t{grid::kRowsOfReach} * torus.columns;
  for (std::size_t i = 0; i < hosted.size(); ++i) {
    bool has_hosted = found.members > 1;
    if (!is_inner(hosted, i, reach)) {
      const auto neighbours = neighbourhood.neighbours(torus, hosted[i]);
      const auto outside = [&](CellId cell) { return !std::ranges::binary_search(hosted, cell); };
      std::ranges::copy_if(neighbours, std::inserter(elsewhere, elsewhere.end()), outside);
      const auto n_outside = static_cast<std::size_t>(std::ranges::count_if(neighbours, outside));
      found.arriving += n_outside;
      if (n_outside > 0) ++found.read;
      found.members = std::max(found.members, neighbours.size() + 1);
      has_hosted = n_outside < neighbours.size();
    }
    if (has_hosted) ++found.neighbours;
  }
  found.neighbours += elsewhere.size();
  return found;
}

Surroundings surroundings_of(const config::Experiment& experiment, std::span<const CellId> hosted) {
  Surroundings most;
  const grid::Schedule schedule = setup::schedule_of(experiment);
  for (const auto& entry : schedule.entries()) {
    const Surroundings found =
        surroundings_in(*entry.neighbourhood, setup::torus_of(experiment), hosted);
    most.neighbours = std::max(most.neighbours, found.neighbours);
    most.arriving = std::max(most.arriving, found.arriving);
    most.read = std::max(most.read, found.read);
    most.members = std::max(most.members, found.members);
  }
  return most;
}

bool has_judge(const config::Experiment& experiment, const data::Description& dataset) {
  return metrics::find_metric(experiment.score.metric, dataset).has_judge;
}

// The worker of the first cell trains it.
nn::PlanBytes judge_bytes(const config::Experiment& experiment, const data::Description& dataset,
                          const nn::Engine& engine, bool has_first_cell) {
  if (!has_judge(experiment, dataset)) return {};
  const nn::NetworkSpec classifier = metrics::classifier_network(dataset);
  const std::size_t training = has_first_cell ? metrics::classifier_training_bytes(classifier) : 0;
  return metrics::ClassifierFeatures::bytes(classifier, engine) +
         nn::PlanBytes{.kept = SharedResources::judge_bytes(classifier) + training};
}

// Points have no more than a classifier gives.
std::size_t features_per_sample(const config::Experiment& experiment,
                                const data::Description& dataset) {
  const bool has_blocks =
      dataset.kind == data::SampleKind::kImage && !has_judge(experiment, dataset);
  return has_blocks ? metrics::BlockMeans::kMostValues + 1
                    : metrics::ClassifierFeatures::kPerSample;
}

bool fitness_takes_samples(const coev::Settings& settings) {
  const coev::FitnessSettings& fitness = settings.operators.fitness;
  return fitness.measure == coev::FitnessMeasure::kScore || fitness.diversity > 0;
}

// Messages of the gradients and parameters of a network or its stage: of all gradients of a rank's
// micro-batches, or, where they are shared out, of one; where parameters are, too, ranks keep in
// step at each bucket, which is there with the one before it.
std::size_t gradient_bytes(const coev::Settings& settings, coev::NetworkRole role,
                           const nn::Shard& parameters, nn::Collectives& ranks) {
  const coev::NetworkSettings& network = coev::network_settings(settings, role);
  const nn::OptimizerSpec& optimizer = network.optimizer;
  const std::uint32_t n_rows =
      nn::micro_batches(settings.batch_size, network.n_micro_batches, &ranks).n();
  const nn::ZeroStage zero = nn::zero_stage(optimizer, coev::step_options(settings, role), &ranks);
  if (zero < nn::ZeroStage::kParameters) {
    return parallel::CellCollectives::bytes(
        parameters.n, zero < nn::ZeroStage::kGradients ? n_rows : 1, ranks.size());
  }
  const std::vector<nn::Shard> buckets = nn::parameter_buckets(
      nn::parameter_layout(coev::network_spec(settings.model, role)), parameters);
  if (buckets.empty()) return 0;
  return parallel::CellCollectives::bytes(2 * std::ranges::max(buckets, {}, &nn::Shard::n).n, 1,
                                          ranks.size());
}

// Where several ranks compute a stage together, of the network with more of them.
std::size_t collective_bytes(const coev::Settings& settings, const nn::Engine& engine) {
  const nn::Pipeline* const pipeline = nn::pipeline_of(engine);
  nn::Collectives* const ranks =
      pipeline == nullptr ? engine.collectives : pipeline->other_replicas();
  if (ranks == nullptr) return 0;
  const nn::PairStages stages = nn::pair_stages(settings.model, pipeline);
  const std::uint32_t stage = pipeline == nullptr ? 0 : pipeline->stage();
  const auto bytes_of = [&](coev::NetworkRole role, const nn::NetworkStages& of_network) {
    return gradient_bytes(settings, role, of_network.tensors[stage].parameters, *ranks);
  };
  return std::max(bytes_of(coev::NetworkRole::kGenerator, stages.generator),
                  bytes_of(coev::NetworkRole::kDiscriminator, stages.discriminator));
}

// The bytes that a rank of a cell is handed for one cell's training.
std::size_t training_bytes(const coev::Settings& settings, const nn::Engine& engine,
                           std::size_t n_members, std::uint32_t rank) {
  return coev::training_bytes(settings, n_members, *engine.collectives, nn::pipeline_of(engine),
                              rank);
}

// Helpers are handed at once what is to be trained; the parts of its steps come after that.
std::size_t helping_bytes(const coev::Settings& settings, const nn::Engine& engine,
                          std::size_t n_members) {
  if (engine.collectives == nullptr) return 0;
  std::size_t n_handed = 0;
  for (std::uint32_t rank = 1; rank < engine.collectives->size(); ++rank) {
    n_handed += training_bytes(settings, engine, n_members, rank);
  }
  return std::max(n_handed, collective_bytes(settings, engine));
}

// Pinned for what GPUs exchange with the host; cells are trained together there.
std::size_t pinned_bytes(const config::Experiment& experiment, const coev::Settings& settings,
                         const nn::Engine& engine, std::size_t n_cells) {
  if (experiment.compute.device == "cpu") return 0;
  return n_cells * coev::Trainer::bytes(settings, engine).exchanged;
}

// All run in turns on the worker's device and share its arena.
nn::PlanBytes program_bytes(const coev::Settings& settings, const nn::Engine& engine,
                            std::size_t n_members) {
  const nn::PlanBytes runner = coev::GeneratorRunner::bytes(settings.model, engine);
  const nn::PlanBytes all = coev::Trainer::bytes(settings, engine) +
                            coev::FitnessEvaluator::bytes(settings, engine, n_members) + runner;
  return fitness_takes_samples(settings) ? all + runner : all;
}

}  // namespace

setup::WorkerMemory memory_of(const config::Experiment& experiment, const nn::Engine& engine,
                              const data::Description& dataset, std::span<const CellId> hosted,
                              bool survives_losses) {
  const coev::Settings settings = setup::settings_of(experiment);
  const coev::PairBytes state = coev::pair_bytes(settings);
  const Surroundings most = surroundings_of(experiment, hosted);
  const std::size_t n = hosted.size();
  const CellCopies::Taken copies = CellCopies::bytes(
      state, n, n < setup::torus_of(experiment).cells(), survives_losses ? grid::kBuddies : 0);
  return {
      .cells = coev::Island::bytes(settings, n),
      .neighbours = coev::Neighbours::bytes(settings, most.neighbours),
      .messages = Exchange::bytes(coev::publication_bytes(settings), most.read, most.arriving) +
                  helping_bytes(settings, engine, most.members) + copies.in_memory +
                  pinned_bytes(experiment, settings, engine, n),
      .programs = (program_bytes(settings, engine, most.members) +
                   judge_bytes(experiment, dataset, engine, hosted.front() == CellId{0}))
                      .total(),
      .samples = coev::MixtureScoring::bytes(settings, most.members,
                                             features_per_sample(experiment, dataset)) +
                 SampleWriter::bytes(experiment, dataset.shape.size(), n, most.members) +
                 BestMixture::bytes(
                     nn::parameter_layout(settings.model.generator).n_padded * sizeof(float),
                     dataset.shape.size(), most.members) +
                 coev::SampleOrders::bytes(dataset.n_train_within(experiment.data.max_samples), n),
      .on_disk = coev::Island::offloaded_bytes(settings, n) + copies.offloaded +
                 coev::Neighbours::offloaded_bytes(settings, most.neighbours)};
}

setup::WorkerMemory memory_of_helper(const config::Experiment& experiment, const nn::Engine& engine,
                                     const data::Description& dataset,
                                     std::span<const CellId> hosted) {
  const coev::Settings settings = setup::settings_of(experiment);
  const std::uint32_t rank = engine.collectives->rank();
  const std::size_t n_members = surroundings_of(experiment, hosted).members;
  const std::size_t alone = training_bytes(settings, engine, 1, rank);
  const std::size_t handed = training_bytes(settings, engine, n_members, rank);
  const std::size_t offloaded =
      coev::offloaded_bytes(settings, *engine.collectives, nn::pipeline_of(engine), rank);
  // All of it may have come before the first of it is looked at.
  return {.cells = alone - offloaded,
          .neighbours = handed - alone,
          .messages = std::max(handed, collective_bytes(settings, engine)) +
                      pinned_bytes(experiment, settings, engine, hosted.size()),
          .programs = coev::Trainer::bytes(settings, engine).total(),
          .samples = coev::SampleOrders::bytes(dataset.n_train_within(experiment.data.max_samples),
                                               hosted.size()),
          .on_disk = offloaded};
}

}  // namespace lipizz::worker
