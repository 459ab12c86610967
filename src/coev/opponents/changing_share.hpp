#pragma once

#include "coev/opponents.hpp"

namespace lipizz::coev {

/// As partner-share, but the share goes in a line from `share` in the first generation to
/// `share_end` in generation `generations`, where it stays. It is ours: whether neighbours help
/// early, when pairs differ little, or late.
extern const Opponents kChangingShareOpponents;

}  // namespace lipizz::coev
