#pragma once

#include "coev/opponents.hpp"

namespace lipizz::coev {

/// The partner with probability `share`, otherwise any neighbour, each with (1 - share) / (n - 1).
/// It is ours, and lies between the plain training of a pair (share 1) and Schmiedlechner et al.
/// 2018 (share 1/n). docs/results.md has how discriminators fare with it.
extern const Opponents kPartnerShareOpponents;

}  // namespace lipizz::coev
