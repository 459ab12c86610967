#pragma once

#include <optional>

#include "coev/mixture_weighting.hpp"

namespace lipizz::coev {

/// All weight to the member whose samples alone score best; to the first of those that tie. A
/// mixture has to beat this.
extern const MixtureWeighting kBestMemberWeighting;

/// The member that scores best alone; none where no score is finite.
std::optional<std::size_t> best_alone(std::size_t n_members, const MixtureWeightingInput& input);

}  // namespace lipizz::coev
