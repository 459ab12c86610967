#include "coev/fitness/best.hpp"

#include <algorithm>

namespace lipizz::coev {

constinit const FitnessAggregation kBestFitness{
    .name = "best",
    .summary = "the least of the losses (the pseudocode of Schmiedlechner et al. 2018)",
    .aggregate = [](std::span<const double> losses, ParameterValues) {
      return std::ranges::min(losses);
    }};

}  // namespace lipizz::coev
