#pragma once

#include "coev/replacement.hpp"

namespace lipizz::coev {

/// The offspring takes the centre's place if its loss is strictly lower: f(offspring) < f(centre),
/// both against the same opponents on the same batch (Schmiedlechner et al. 2018, with selection).
extern const Replacement kElitistReplacement;

}  // namespace lipizz::coev
