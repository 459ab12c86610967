#include "coev/replacement/generational.hpp"

#include <cmath>

namespace lipizz::coev {
namespace {

Decision decide(double, double offspring, ParameterValues) {
  return std::isfinite(offspring) ? Decision::kOffspring : Decision::kRescue;
}

}  // namespace

constinit const Replacement kGenerationalReplacement{
    .name = "generational",
    .summary =
        "the offspring always replaces the centre (the published settings of Schmiedlechner "
        "et al. 2018)",
    .compares_fitness = false,
    .decide = decide};

}  // namespace lipizz::coev
