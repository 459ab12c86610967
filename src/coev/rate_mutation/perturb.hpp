#pragma once

#include "coev/rate_mutation.hpp"

namespace lipizz::coev {

/// With `probability` the rate is multiplied by `factor` or divided by it, each as likely (the
/// exploration of population-based training, Jaderberg et al. 2017, who multiply by 1.2 or 0.8).
/// Departure: a factor and its inverse, so that the rate has no drift.
extern const RateMutation kPerturbRateMutation;

}  // namespace lipizz::coev
