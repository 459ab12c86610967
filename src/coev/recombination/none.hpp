#pragma once

#include "coev/recombination.hpp"

namespace lipizz::coev {

/// The offspring is a copy of the selected member, as in Lipizzaner (Schmiedlechner et al. 2018).
extern const Recombination kNoRecombination;

}  // namespace lipizz::coev
