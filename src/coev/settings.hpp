#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "coev/fitness/average.hpp"
#include "coev/loss_mutation/none.hpp"
#include "coev/migration/genomes.hpp"
#include "coev/mixture_weighting/evolution_strategy.hpp"
#include "coev/opponents/uniform.hpp"
#include "coev/rate_mutation/log_normal.hpp"
#include "coev/recombination/none.hpp"
#include "coev/replacement/elitist.hpp"
#include "coev/selection/tournament.hpp"
#include "coev/training_schedule/constant.hpp"
#include "core/ids.hpp"
#include "grid/neighbourhood.hpp"
#include "grid/schedule.hpp"
#include "nn/base/loss.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/network/models.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::coev {

/// Everything that the algorithm's result depends on, beside the torus, the dataset and the engine.
/// docs/algorithm.md says what each does, with the papers; the names are those of
/// docs/configuration.md. The initial values serve tests; a run's defaults are those of
/// config/experiment.hpp.

/// The training settings of one of the two networks (Schmiedlechner et al. 2018).
struct NetworkSettings {
  nn::OptimizerSpec optimizer{};
  double learning_rate = 2e-4;  // at the start; mutation changes it
  Configured<TrainingSchedule> schedule{kConstantSchedule};
  nn::LossId loss = 0;  // at the start; bce
  std::uint32_t steps_per_batch = 1;
  std::uint32_t train_every = 1;  // n-th batch of the run, from the first
  std::uint32_t n_micro_batches = 1;
  Configured<Opponents> opponents{kUniformOpponents};
  nn::StoragePointer moments_in{};  // null: they are in memory
};

/// When a mutation may happen.
enum class Period { kBatch, kGeneration };

struct RateMutationSettings {
  Configured<RateMutation> mutation{kLogNormalRateMutation};
  Period per = Period::kGeneration;
};

struct LossMutationSettings {
  Configured<LossMutation> mutation{kNoLossMutation};
  std::vector<nn::LossId> losses{};  // to choose from
  Period per = Period::kGeneration;
};

/// The measure that individuals are compared by: their losses against the neighbourhood, or the
/// score of a pair's samples.
enum class FitnessMeasure { kLoss, kScore };

struct FitnessSettings {
  std::uint32_t n_samples = 1000;
  FitnessMeasure measure = FitnessMeasure::kLoss;
  Configured<FitnessAggregation> aggregation{kAverageFitness};
  nn::LossId loss = 0;   // all are compared under this one, whatever they train with
  double diversity = 0;  // times a generator's diversity is taken off its loss
};

/// The algorithm's operators.
struct Operators {
  FitnessSettings fitness;
  Configured<Selection> selection{kTournamentSelection};
  Configured<Recombination> recombination{kNoRecombination};
  std::uint32_t n_offspring = 1;  // of a cell in a generation
  Configured<Replacement> replacement{kElitistReplacement};
  Configured<Migration> migration{kGenomesMigration};
  Configured<MixtureWeighting> mixture{kEvolutionStrategyWeighting};
  RateMutationSettings rate_mutation;
  LossMutationSettings loss_mutation;
};

struct ScoreSettings {
  std::uint32_t n_samples = 10'000;
  std::uint32_t n_samples_training = 1'000;
  std::uint32_t every = 1;  // generations
};

struct Settings {
  std::uint64_t seed = 1;
  nn::GanSpec model = nn::make_model("mlp");
  std::uint32_t batch_size = 100;
  std::uint32_t batches_per_generation = 0;  // 0: as many as a pass over the samples has
  double data_share = 1;                     // of the samples that each cell trains on
  NetworkSettings generator;
  NetworkSettings discriminator;
  nn::StepOptions steps{};
  Operators operators;
  ScoreSettings score;
  grid::Schedule neighbourhood{grid::find_neighbourhood("cross5")};
  /// Asynchronous exchange: how many generations a neighbour's copy may be behind. None:
  /// synchronous, each copy is of exactly the generation before.
  std::optional<Generation> max_staleness{};
  /// Cells that are trained in one batched call. Changes no result; 1 is best for a CPU's caches.
  std::uint32_t group_size = 1;
};

/// True when generators have a moving average.
inline bool keeps_average(const Settings& settings) {
  return settings.steps.average_decay > 0;
}

/// The settings of the network of this role.
inline const NetworkSettings& network_settings(const Settings& settings, NetworkRole role) {
  return role == NetworkRole::kGenerator ? settings.generator : settings.discriminator;
}

/// The options of the steps that train the network of this role: `steps`, with its own number of
/// micro-batches and what is to be known of its opponent.
nn::StepOptions step_options(const Settings& settings, NetworkRole role);

/// True where the fitness of the members before training is of use, to selection or replacement: in
/// any generation, or in this one.
bool evaluates_members(const Operators& operators);
bool evaluates_members(const Operators& operators, Generation generation);

/// True where an offspring is compared, with its centre or with others of its cell.
bool compares_offspring(const Operators& operators);

/// Samples that the fitness of an offspring is taken of. Where it is only told that is a batch, or
/// as many of it as are evaluated in one call.
std::uint32_t n_offspring_samples(const Settings& settings);

/// Samples that are made or evaluated in one call: 250, and fewer of models with large layers,
/// which would take gigabytes.
std::uint32_t rows_at_once(const nn::GanSpec& model);

}  // namespace lipizz::coev
