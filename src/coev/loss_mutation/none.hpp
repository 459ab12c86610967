#pragma once

#include "coev/loss_mutation.hpp"

namespace lipizz::coev {

/// Each generator keeps its loss, as in Lipizzaner (Schmiedlechner et al. 2018).
extern const LossMutation kNoLossMutation;

}  // namespace lipizz::coev
