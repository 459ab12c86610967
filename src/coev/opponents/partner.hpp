#pragma once

#include "coev/opponents.hpp"

namespace lipizz::coev {

/// Always the partner: the plain training of a pair (Goodfellow et al. 2014).
extern const Opponents kPartnerOpponents;

}  // namespace lipizz::coev
