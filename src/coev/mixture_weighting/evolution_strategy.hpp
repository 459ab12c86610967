#pragma once

#include "coev/mixture_weighting.hpp"

namespace lipizz::coev {

/// A (1+1)-ES (Schmiedlechner et al. 2018): `tries` times w' = max(0, w + N(0, sigma)) for every
/// weight, scaled to the sum 1, which is kept if its score is strictly better. Departure: the
/// original tries once in a generation; a try without sampling costs next to nothing.
extern const MixtureWeighting kEvolutionStrategyWeighting;

}  // namespace lipizz::coev
