#include "coev/score_fitness.hpp"

#include <cmath>
#include <utility>

#include "core/random.hpp"

namespace lipizz::coev {
namespace {

std::vector<double> column_means(std::span<const float> rows, std::size_t n_columns) {
  std::vector<double> means(n_columns);
  for (std::size_t i = 0; i < rows.size(); ++i) means[i % n_columns] += rows[i];
  for (double& mean : means) mean /= static_cast<double>(rows.size() / n_columns);
  return means;
}

}  // namespace

ScoreFitness::ScoreFitness(nn::Device& device, const Settings& settings,
                           const data::Dataset& dataset, metrics::Scorer& scorer)
    : settings_(settings), scorer_(scorer), sampler_(device, settings, dataset, scorer) {}

double ScoreFitness::of(std::span<const float> generator, Generation generation) {
  return scorer_.held_out_score(scorer_.statistics(features(generator, generation))).value;
}

ScoreFitness::Found ScoreFitness::with_behaviour(std::span<const float> generator,
                                                 Generation generation) {
  const std::vector<float> rows = features(generator, generation);
  metrics::Score score = scorer_.held_out_score(scorer_.statistics(rows));
  if (!std::isfinite(score.value)) return {score.value, {}};
  if (!score.class_shares.empty()) return {score.value, std::move(score.class_shares)};
  return {score.value, column_means(compared_columns(scorer_, rows), scorer_.n_compared())};
}

std::vector<float> ScoreFitness::features(std::span<const float> generator, Generation generation) {
  const Random noise(settings_.seed, Purpose::kQualityNoise, {}, generation);
  return sampler_.features(generator, {noise, 0, settings_.operators.fitness.n_samples});
}

}  // namespace lipizz::coev
