#pragma once

#include "coev/selection.hpp"

namespace lipizz::coev {

/// The fittest of `size` distinct members that are drawn uniformly (Schmiedlechner et al. 2018):
/// argmin over the drawn i of f_i. When no member drawn has a finite fitness, it is the lowest cell
/// of them.
///
/// Departures: a tournament larger than the neighbourhood takes all members, where the original
/// stops the run; and the opponents in training remain the whole sub-population, where the original
/// trains against the selected opponent alone.
extern const Selection kTournamentSelection;

}  // namespace lipizz::coev
