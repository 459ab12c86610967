#pragma once

#include "coev/fitness.hpp"

namespace lipizz::coev {

/// The least, f = min_j L_j, as in the pseudocode of Schmiedlechner et al. 2018.
extern const FitnessAggregation kBestFitness;

}  // namespace lipizz::coev
