#pragma once

#include "coev/rate_mutation.hpp"

namespace lipizz::coev {

/// With `probability` r becomes max(0, r + alpha N(-drift r0, r0)), r0 being the run's first rate
/// and r0 the standard deviation of the normal distribution (Schmiedlechner et al. 2018; published
/// with alpha 1e-4, probability 0.5, drift 0.1, before each batch). With a drift above 0 the rate
/// goes to 0 after some 1 / (alpha * probability * drift) draws, whatever it is good for.
extern const RateMutation kGaussianRateMutation;

}  // namespace lipizz::coev
