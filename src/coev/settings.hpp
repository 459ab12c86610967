#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "grid/neighbourhood.hpp"
#include "grid/schedule.hpp"
#include "nn/base/loss.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/network/models.hpp"
#include "nn/train/training_graphs.hpp"

namespace lipizz::coev {

/// Everything that the algorithm's result depends on, beside the torus, the dataset and the engine.
/// docs/algorithm.md says what each does; the names are those of docs/configuration.md.

/// How one of the two networks is trained.
struct Training {
  nn::OptimizerSpec optimizer{};
  double learning_rate = 2e-4;  // at the start; mutation changes it
  nn::LossId loss = 0;          // at the start; bce
  std::uint32_t steps_per_batch = 1;
  std::uint32_t train_every = 1;  // n-th batch, from the first
};

/// When a mutation may happen.
enum class Period { kBatch, kGeneration };

enum class RateMutationKind {
  kNone,
  kGaussian,   // rate += alpha * N(-rate0 / 10, rate0), never below 0 (the originals')
  kLogNormal,  // rate *= exp(alpha * N(0, 1))
};

struct RateMutation {
  RateMutationKind kind = RateMutationKind::kLogNormal;
  double alpha = 0.05;
  double probability = 0.5;
  Period per = Period::kGeneration;
};

/// Mustangs: an offspring generator draws what it minimises.
struct LossMutation {
  std::vector<nn::LossId> losses{};  // to draw from; empty: never
  Period per = Period::kGeneration;
};

/// How an individual's losses against all opponents become one number; lower is better.
enum class FitnessMode { kAverage, kWorst, kBest };

struct Fitness {
  std::uint32_t n_samples = 1000;
  FitnessMode mode = FitnessMode::kAverage;
  nn::LossId loss = 0;  // all are compared under this one, whatever they train with
};

enum class Replacement {
  kElitist,       // the offspring replaces the centre only if it is strictly fitter
  kGenerational,  // always
};

struct MixtureEvolution {
  bool evolve = true;  // otherwise all weights are equal
  double sigma = 0.01;
  std::uint32_t tries = 10;  // per generation
};

struct Scoring {
  std::uint32_t n_samples = 10'000;
  std::uint32_t n_samples_training = 1'000;
  std::uint32_t every = 1;  // generations
};

struct Settings {
  std::uint64_t seed = 1;
  nn::GanSpec model = nn::make_model("mlp");
  std::uint32_t batch_size = 100;
  std::uint32_t batches_per_generation = 0;  // 0: as many as a pass over the samples has
  Training generator;
  Training discriminator;
  nn::StepOptions steps{};
  /// Of a network's steps, the part that is made against its own partner; the others are made
  /// against the neighbours' copies alike. 0: the partner is drawn like any of them.
  double partner_share = 0;
  RateMutation rate_mutation;
  LossMutation loss_mutation;
  Fitness fitness;
  std::uint32_t tournament_size = 2;  // 0 or 1: off, the cell trains its own centre
  Replacement replacement = Replacement::kElitist;
  MixtureEvolution mixture;
  Scoring score;
  grid::Schedule neighbourhood{grid::find_neighbourhood("cross5")};
  /// Asynchronous exchange: how many generations a neighbour's copy may be behind. None:
  /// synchronous, each copy is of exactly the generation before.
  std::optional<Generation> max_staleness{};
  /// Cells that are trained in one batched call. Changes no result; 1 is best for a CPU's caches.
  std::uint32_t group_size = 1;
};

/// Whether generators have a moving average.
inline bool keeps_average(const Settings& settings) {
  return settings.steps.average_decay > 0;
}

/// Samples that are made or judged in one call: 250, and fewer of models with large layers, which
/// would take gigabytes.
std::uint32_t rows_at_once(const nn::GanSpec& model);

}  // namespace lipizz::coev
