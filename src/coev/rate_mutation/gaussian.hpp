#pragma once

#include "coev/rate_mutation.hpp"

namespace lipizz::coev {

/// With `probability` r becomes max(0, r + alpha N(-r0 / 10, r0)), r0 being the run's first rate
/// and r0 the standard deviation of the normal distribution (Schmiedlechner et al. 2018; published
/// with alpha 1e-4, probability 0.5, before each batch). It drifts towards 0.
extern const RateMutation kGaussianRateMutation;

}  // namespace lipizz::coev
