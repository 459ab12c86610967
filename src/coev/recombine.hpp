#pragma once

#include <cstddef>
#include <span>

#include "coev/genome.hpp"
#include "coev/subpopulation.hpp"

namespace lipizz::coev {

/// Makes an offspring's network: a copy of the selected member's, and where others have weight,
/// too, with the weighted mean of the members' parameters, moments and averages
/// (coev/recombination.hpp). Members are added up in the order of the sub-population.
///
/// weights: one for each member. All members have moments where more than one has weight.
void recombine(const Subpopulation& members, NetworkRole role, std::size_t selected,
               std::span<const double> weights, Genome& offspring);

}  // namespace lipizz::coev
