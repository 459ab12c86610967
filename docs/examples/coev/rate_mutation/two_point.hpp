#pragma once

#include "coev/rate_mutation.hpp"

namespace lipizz::coev {

/// The rate becomes r factor or r / factor, each with probability 1/2: the two-point rule of
/// evolution strategies (Rechenberg 1994).
extern const RateMutation kTwoPointRateMutation;

}  // namespace lipizz::coev
