#pragma once

#include <span>

#include "coev/mixture_sampler.hpp"
#include "coev/novelty.hpp"
#include "coev/settings.hpp"
#include "core/ids.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::coev {

/// The fitness of a generator, and of the pair that it belongs to, by the score of its samples in
/// place of a loss, as a receiver judges pairs in LBANN's tournaments by a metric (Jacobs et
/// al. 2019). All cells judge by the same noise in a generation, new noise in the next, so that a
/// genome has the same fitness at whoever holds it. It compares with samples that nobody trains on
/// (Scorer::held_out_score()), so that the reported score is not what was selected by. Departure:
/// each of LBANN's trainers has such samples of its own; here all have the same.
class ScoreFitness {
 public:
  /// The references must outlive it.
  ScoreFitness(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
               metrics::Scorer& scorer);

  /// The score of Settings' operators.fitness.n_samples samples; lower is better, NaN where the
  /// generator makes any that is not finite. generator: parameters [n_padded].
  double of(std::span<const float> generator, Generation generation);

  /// The same with the behaviour of these samples: the shares of their classes, or where the scorer
  /// tells none, the means of their features. Empty where the score is not finite.
  struct Found {
    double score;
    Behaviour behaviour;
  };
  Found with_behaviour(std::span<const float> generator, Generation generation);

 private:
  std::vector<float> features(std::span<const float> generator, Generation generation);

  const Settings& settings_;
  metrics::Scorer& scorer_;
  MixtureSampler sampler_;
};

}  // namespace lipizz::coev
