#pragma once

#include "coev/rate_mutation.hpp"

namespace lipizz::coev {

/// With `probability` r becomes r exp(alpha N(0, 1)): the mutation of step sizes in evolution
/// strategies (Schwefel 1977). Departure from Schmiedlechner et al. 2018, who add a normal number:
/// a relative step works at every rate, and has no drift.
extern const RateMutation kLogNormalRateMutation;

}  // namespace lipizz::coev
