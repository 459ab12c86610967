#pragma once

#include "coev/selection.hpp"

namespace lipizz::coev {

/// Draws a member by its rank (Baker 1985): of n members the i-th best, counted from 0, with
/// probability (s - 2 (s - 1) i / (n - 1)) / n. The pressure s is 1 for equal chances, 2 for none
/// of the worst.
extern const Selection kLinearRankingSelection;

}  // namespace lipizz::coev
