#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lipizz::coev {

/// Quality diversity: individuals are wanted that are fit and behave like no others (Lehman and
/// Stanley 2011, "Evolving a diversity of virtual creatures through novelty search and local
/// competition"; of GANs Costa et al. 2020, "Exploring the evolution of GANs through quality
/// diversity").

/// The behaviour descriptor of a pair: what its generator makes, as ScoreFitness tells. Empty where
/// that is not finite.
using Behaviour = std::vector<double>;

/// The sum of absolute differences; of shares, twice the total variation distance.
double behaviour_distance(const Behaviour& a, const Behaviour& b);

/// The novelty of each: its mean distance to its k nearest others, or to all of them where there
/// are fewer (Lehman and Stanley 2011). An empty descriptor has novelty 0 and is nobody's
/// neighbour; one alone has novelty 0, too.
std::vector<double> novelties(std::span<const Behaviour> behaviours, std::size_t k);

/// The Pareto front of each individual: 0 where nobody dominates it, otherwise one more than the
/// last front of those that do (non-dominated sorting, Deb et al. 2002). One dominates another when
/// it is no worse in both and better in one. fitness: lower is better, and what is not finite is
/// dominated by everything finite. novelty: higher is better, finite.
std::vector<std::size_t> pareto_fronts(std::span<const double> fitness,
                                       std::span<const double> novelty);

}  // namespace lipizz::coev
