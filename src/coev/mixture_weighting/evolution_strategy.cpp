#include "coev/mixture_weighting/evolution_strategy.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "coev/mixture.hpp"
#include "coev/ranking.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{Parameter{.name = "sigma",
                                           .lowest = 0,
                                           .highest = 1,
                                           .initial = 0.01,
                                           .summary = "Standard deviation of a weight's step."},
                                 Parameter{.name = "tries",
                                           .lowest = 0,
                                           .highest = 1e6,
                                           .initial = 10,
                                           .unit = "tries",
                                           .summary = "Steps in each generation.",
                                           .is_whole = true}};

void find(std::span<double> weights, const MixtureWeightingInput& input, ParameterValues values) {
  const double sigma = values[0];
  const auto tries = static_cast<std::uint32_t>(values[1]);
  if (tries == 0) return;
  double score = input.score(weights);
  std::vector<double> candidate(weights.size());
  for (std::uint32_t attempt = 0; attempt < tries; ++attempt) {
    for (std::uint32_t i = 0; i < weights.size(); ++i) {
      candidate[i] = std::max(0.0, weights[i] + sigma * input.random.normal(attempt, i));
    }
    normalise(candidate);
    const double candidate_score = input.score(candidate);
    if (!is_better(candidate_score, score)) continue;
    std::ranges::copy(candidate, weights.begin());
    score = candidate_score;
  }
}

}  // namespace

constinit const MixtureWeighting kEvolutionStrategyWeighting{
    .name = "evolution-strategy",
    .summary = "a (1+1)-ES on the weights (Schmiedlechner et al. 2018)",
    .parameters = kParameters,
    .find = find};

}  // namespace lipizz::coev
