#pragma once

#include "coev/rate_mutation.hpp"

namespace lipizz::coev {

/// The rate stays what it is, as without mutation in Schmiedlechner et al. 2018.
extern const RateMutation kNoRateMutation;

}  // namespace lipizz::coev
