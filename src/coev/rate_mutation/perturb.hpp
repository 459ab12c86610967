#pragma once

#include "coev/rate_mutation.hpp"

namespace lipizz::coev {

/// With `probability` the rate of a neighbour's network that selection has taken is multiplied by
/// `factor` or divided by it, each as likely; a cell that goes on with its own keeps its rate (the
/// exploration of population-based training, which follows where a member has copied another,
/// Jaderberg et al. 2017, who multiply by 1.2 or 0.8). Departure: a factor and its inverse, so that
/// the rate has no drift.
extern const RateMutation kPerturbRateMutation;

}  // namespace lipizz::coev
