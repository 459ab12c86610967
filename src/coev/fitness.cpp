#include "coev/fitness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "coev/fitness/average.hpp"
#include "coev/fitness/best.hpp"
#include "coev/fitness/worst.hpp"
#include "core/check.hpp"

namespace lipizz::coev {

std::span<const FitnessAggregation* const> fitness_aggregations() {
  static constexpr std::array kAggregations{&kAverageFitness, &kWorstFitness, &kBestFitness};
  return kAggregations;
}

double aggregate(const Configured<FitnessAggregation>& aggregation,
                 std::span<const double> losses) {
  const auto is_finite = [](double loss) { return std::isfinite(loss); };
  if (losses.empty() || !std::ranges::all_of(losses, is_finite)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return aggregation->aggregate(losses, aggregation.values());
}

std::vector<double> generator_fitness(const PairLosses& losses,
                                      const Configured<FitnessAggregation>& aggregation) {
  std::vector<double> fitness;
  const std::size_t n_opponents = losses.n_discriminators;
  for (std::size_t g = 0; g < losses.n_generators; ++g) {
    const std::span<const double> all(losses.generator);
    fitness.push_back(aggregate(aggregation, all.subspan(g * n_opponents, n_opponents)));
  }
  return fitness;
}

std::vector<double> discriminator_fitness(const PairLosses& losses,
                                          const Configured<FitnessAggregation>& aggregation) {
  LIPIZZ_ASSERT(losses.real.size() == losses.n_discriminators);
  std::vector<double> fitness;
  std::vector<double> of_one(losses.n_generators);
  for (std::size_t d = 0; d < losses.n_discriminators; ++d) {
    for (std::size_t g = 0; g < losses.n_generators; ++g) {
      of_one[g] = losses.real[d] + losses.fake[g * losses.n_discriminators + d];
    }
    fitness.push_back(aggregate(aggregation, of_one));
  }
  return fitness;
}

}  // namespace lipizz::coev
