#pragma once

#include "coev/replacement.hpp"

namespace lipizz::coev {

/// The offspring always takes the centre's place: networks are trained in place, as in the
/// published MNIST settings (Schmiedlechner et al. 2018, Toutouh et al. 2019, without selection).
/// Departure: one that is not finite is replaced by the fittest finite neighbour.
extern const Replacement kGenerationalReplacement;

}  // namespace lipizz::coev
