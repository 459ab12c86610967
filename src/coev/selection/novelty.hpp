#pragma once

#include "coev/selection.hpp"

namespace lipizz::coev {

/// Novelty search with global competition (the alternative of Costa et al. 2020, "Exploring the
/// evolution of GANs through quality diversity", to the novelty search with local competition of
/// Lehman and Stanley 2011): every `period` generations the best of `size` distinct pairs that are
/// drawn uniformly. Pairs are ranked by the Pareto fronts of fitness and of novelty over the whole
/// sub-population, then by novelty, then the lower cell first; novelty is the mean distance to the
/// `neighbours` nearest other behaviours. Pairs without a finite fitness come last.
///
/// Departures: there is no archive of behaviours of generations before, which would be state to
/// save, so that a pair is novel among its neighbours of now; the descriptor of a behaviour is our
/// own (coev/novelty.hpp); and inside a front novelty decides, in place of crowding distance.
extern const Selection kNoveltySelection;

}  // namespace lipizz::coev
