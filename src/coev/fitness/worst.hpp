#pragma once

#include "coev/fitness.hpp"

namespace lipizz::coev {

/// The greatest, f = max_j L_j: an individual is worth what it is against its strongest opponent, a
/// minimax solution (Al-Dujaili et al. 2018).
extern const FitnessAggregation kWorstFitness;

}  // namespace lipizz::coev
