#pragma once

#include "coev/selection.hpp"

namespace lipizz::coev {

/// Every `period` generations a cell meets one of its neighbours, drawn uniformly, and trains on
/// with the fitter pair of the two (LBANN's LTFB: Jacobs et al. 2017 and 2019). Optimizer moments
/// travel, and a fitness that is not finite loses; without neighbours a cell plays against itself.
/// Departure: LBANN shuffles all trainers into pairs; here a cell, which talks to its neighbours
/// only, draws its partner by itself, so that a pair may win at several; and a tie goes to the
/// lower cell, as everywhere here, in place of the own pair.
extern const Selection kPairTournamentSelection;

}  // namespace lipizz::coev
