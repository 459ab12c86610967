#include "coev/recombination/average.hpp"

#include <array>

#include "coev/period.hpp"

namespace lipizz::coev {
namespace {

constexpr std::array kParameters{
    Parameter{.name = "share",
              .lowest = 0,
              .highest = 1,
              .initial = 1,
              .summary = "Part of the way from the cell's own networks to the mean."},
    kPeriodParameter};

void weigh(const RecombinationInput& input, ParameterValues values, std::span<double> weights) {
  if (!is_due(input.generation, values[1])) return;
  const double share = values[0];
  for (double& weight : weights) {
    weight = (1 - share) * weight + share / static_cast<double>(weights.size());
  }
}

}  // namespace

constinit const Recombination kAverageRecombination{
    .name = "average",
    .summary = "the mean of the sub-population (decentralised parallel SGD, Lian et al. 2017)",
    .parameters = kParameters,
    .weigh = weigh};

}  // namespace lipizz::coev
