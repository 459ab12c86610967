#include "coev/fitness/average.hpp"

#include <numeric>

namespace lipizz::coev {

constinit const FitnessAggregation kAverageFitness{
    .name = "average",
    .summary = "the mean of the losses (the published settings of Schmiedlechner et al. 2018)",
    .aggregate = [](std::span<const double> losses, ParameterValues) {
      return std::accumulate(losses.begin(), losses.end(), 0.0) /
             static_cast<double>(losses.size());
    }};

}  // namespace lipizz::coev
