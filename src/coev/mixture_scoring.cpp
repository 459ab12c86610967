#include "coev/mixture_scoring.hpp"

#include <algorithm>

#include "coev/mixture.hpp"
#include "coev/mixture_search.hpp"

namespace lipizz::coev {

MixtureScoring::MixtureScoring(nn::Device& device, const Settings& settings,
                               const data::Dataset& dataset, metrics::Scorer& scorer)
    : settings_(settings),
      scorer_(scorer),
      sampler_(device, settings, dataset, scorer),
      recall_(scorer) {}

void MixtureScoring::score_generation(Cell& cell, Networks generators, Generation generation) {
  const Random noise(settings_.seed, Purpose::kScoreNoise, cell.id, generation);
  if (!is_weighed(cell)) {
    score_fresh(cell, generators, {noise, 0, settings_.score.n_samples_training});
    return;
  }
  const Lists lists = make_lists(cell, generators, noise);
  find_weights(cell, lists, generation);
  timed(cell.times, Routine::kMixture,
        [&] { report(cell, mix_features(lists, cell.mixture.weights, scorer_.n_features())); });
}

void MixtureScoring::score_final(Cell& cell, Networks generators, Generation generation) {
  weigh_final(cell, generators, generation);
  const Random noise(settings_.seed, Purpose::kScoreNoise, cell.id, generation);
  score_fresh(cell, generators,
              {noise, settings_.score.n_samples_training, settings_.score.n_samples});
}

void MixtureScoring::weigh_final(Cell& cell, Networks generators, Generation generation) {
  if (!is_weighed(cell)) return;
  const Random noise(settings_.seed, Purpose::kScoreNoise, cell.id, generation);
  find_weights(cell, make_lists(cell, generators, noise), generation);
}

std::vector<float> MixtureScoring::samples(const Cell& cell, Networks generators, std::uint32_t n) {
  const Random noise(settings_.seed, Purpose::kMixtureNoise, cell.id, cell.generation);
  const std::vector<float> blocks =
      sampler_.samples(generators, cell.mixture.weights, {noise, 0, n});
  const std::size_t size = settings_.model.sample();
  const std::vector<std::uint32_t> order =
      Random(settings_.seed, Purpose::kMixtureChoice, cell.id, cell.generation).permutation(n);
  std::vector<float> shuffled(blocks.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    std::copy_n(blocks.begin() + order[i] * size, size, shuffled.begin() + i * size);
  }
  return shuffled;
}

MixtureExamples MixtureScoring::examples(const Cell& cell, Networks generators, std::uint32_t n) {
  const Random noise(settings_.seed, Purpose::kMixtureNoise, cell.id, cell.generation);
  return sampler_.examples(generators, {noise, 0, n});
}

bool MixtureScoring::is_weighed(const Cell& cell) const {
  return settings_.operators.mixture->measure != MixtureMeasure::kNone &&
         cell.mixture.cells.size() > 1;
}

MixtureScoring::Lists MixtureScoring::make_lists(Cell& cell, Networks generators,
                                                 const Random& noise) {
  return timed(cell.times, Routine::kMixture, [&] {
    Lists lists;
    for (const std::span<const float> generator : generators) {
      lists.push_back(sampler_.features(generator, {noise, 0, settings_.score.n_samples_training}));
    }
    return lists;
  });
}

void MixtureScoring::find_weights(Cell& cell, const Lists& lists, Generation generation) {
  const Random random(settings_.seed, Purpose::kMixtureStep, cell.id, generation);
  const Configured<MixtureWeighting>& weighting = settings_.operators.mixture;
  timed(cell.times, Routine::kMixture, [&] {
    std::vector<metrics::Statistics> statistics;
    if (weighting->measure == MixtureMeasure::kScore) {
      for (const std::vector<float>& list : lists) statistics.push_back(scorer_.statistics(list));
      search_weights(cell.mixture.weights, statistics, scorer_, weighting, random);
    } else {
      const auto recall = [&](std::size_t member) { return recall_.of(lists[member]); };
      weighting->find(cell.mixture.weights, {random, {}, recall}, weighting.values());
    }
  });
}

void MixtureScoring::score_fresh(Cell& cell, Networks generators,
                                 const MixtureSampler::Noise& noise) {
  timed(cell.times, Routine::kMixture,
        [&] { report(cell, sampler_.features(generators, cell.mixture.weights, noise)); });
}

void MixtureScoring::report(Cell& cell, std::span<const float> features) const {
  metrics::Score score = scorer_.score(scorer_.statistics(features));
  cell.report.score = score.value;
  cell.report.score_details = std::move(score.details);
  cell.report.class_shares = std::move(score.class_shares);
}

std::size_t MixtureScoring::bytes(const Settings& settings, std::size_t n_members,
                                  std::size_t n_features) {
  const ScoreSettings& score = settings.score;
  const std::size_t n_samples =
      std::max<std::size_t>(score.n_samples, n_members * score.n_samples_training);
  return n_samples * n_features * sizeof(float);
}

}  // namespace lipizz::coev
