#include "coev/fitness/worst.hpp"

#include <algorithm>

namespace lipizz::coev {

constinit const FitnessAggregation kWorstFitness{
    .name = "worst",
    .summary = "the greatest of the losses (Al-Dujaili et al. 2018)",
    .aggregate = [](std::span<const double> losses, ParameterValues) {
      return std::ranges::max(losses);
    }};

}  // namespace lipizz::coev
