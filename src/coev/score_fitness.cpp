#include "coev/score_fitness.hpp"

#include "core/random.hpp"

namespace lipizz::coev {

ScoreFitness::ScoreFitness(nn::Device& device, const Settings& settings,
                           const data::Dataset& dataset, metrics::Scorer& scorer)
    : settings_(settings), scorer_(scorer), sampler_(device, settings, dataset, scorer) {}

double ScoreFitness::of(std::span<const float> generator, Generation generation) {
  const Random noise(settings_.seed, Purpose::kQualityNoise, {}, generation);
  const std::vector<float> features =
      sampler_.features(generator, {noise, 0, settings_.operators.fitness.n_samples});
  return scorer_.score(scorer_.statistics(features)).value;
}

}  // namespace lipizz::coev
