#pragma once

#include "coev/fitness.hpp"

namespace lipizz::coev {

/// The mean over the opponents, f = 1/n sum_j L_j: what every published configuration of Lipizzaner
/// takes (Schmiedlechner et al. 2018), though the paper's pseudocode takes the least.
extern const FitnessAggregation kAverageFitness;

}  // namespace lipizz::coev
