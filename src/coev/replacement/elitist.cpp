#include "coev/replacement/elitist.hpp"

#include <cmath>

#include "coev/ranking.hpp"

namespace lipizz::coev {
namespace {

Decision decide(double centre, double offspring, ParameterValues) {
  if (is_better(offspring, centre)) return Decision::kOffspring;
  return std::isfinite(centre) ? Decision::kKeep : Decision::kRescue;
}

}  // namespace

constinit const Replacement kElitistReplacement{
    .name = "elitist",
    .summary =
        "the offspring replaces the centre if it is strictly fitter (Schmiedlechner et al. "
        "2018)",
    .decide = decide};

}  // namespace lipizz::coev
