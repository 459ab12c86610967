#pragma once

#include "coev/mixture_weighting.hpp"

namespace lipizz::coev {

/// Starts from the best of the weights of the generation before, of equal ones, and of each member
/// alone. Then (pattern search, Hooke and Jeeves 1961, on the simplex) each member in turn gets a
/// part `step` more of the whole, or gives it up, the others being scaled, whenever that scores
/// better; when no such move does, the step is halved, down to `least_step`. Finds the best member
/// where it is best alone, which a (1+1)-ES of small steps does not.
extern const MixtureWeighting kPatternSearchWeighting;

}  // namespace lipizz::coev
