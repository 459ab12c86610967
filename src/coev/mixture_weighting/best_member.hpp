#pragma once

#include "coev/mixture_weighting.hpp"

namespace lipizz::coev {

/// All weight to the member whose samples alone score best; to the first of those that tie. A
/// mixture has to beat this.
extern const MixtureWeighting kBestMemberWeighting;

}  // namespace lipizz::coev
