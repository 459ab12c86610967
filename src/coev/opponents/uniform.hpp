#pragma once

#include "coev/opponents.hpp"

namespace lipizz::coev {

/// Each member of the sub-population with probability 1/n, the partner among them (Schmiedlechner
/// et al. 2018, without selection).
extern const Opponents kUniformOpponents;

}  // namespace lipizz::coev
