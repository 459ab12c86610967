#pragma once

#include "coev/mixture_weighting.hpp"

namespace lipizz::coev {

/// All weight to the member whose samples alone score best; to the first of those that tie; weights
/// stay where no score is finite. No mixture at all, and so the bar that ensembles are held to
/// since Hansen and Salamon (1990, "Neural network ensembles"): a mixture has to beat this.
extern const MixtureWeighting kBestMemberWeighting;

}  // namespace lipizz::coev
