#pragma once

#include "coev/mixture_weighting.hpp"

namespace lipizz::coev {

/// w_i = 1/n: every mixture begins so (Schmiedlechner et al. 2018), and coev::with_members() leaves
/// weights equal that are.
extern const MixtureWeighting kEqualWeighting;

}  // namespace lipizz::coev
