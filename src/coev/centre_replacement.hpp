#pragma once

#include <span>
#include <string>

#include "coev/genome.hpp"
#include "coev/replacement.hpp"
#include "coev/subpopulation.hpp"

namespace lipizz::coev {

/// A cell's offspring of one role against the centre that it may replace.
struct ReplacementInput {
  const Configured<Replacement>& replacement;
  NetworkRole role;
  const Subpopulation& members;    // centre first
  std::span<const double> before;  // each member's fitness before training; may be empty if the
                                   // replacement compares none and the offspring is finite
  double offspring;                // its fitness
};

struct ReplacementResult {
  bool is_replaced = false;  // by the offspring
  bool is_copied = false;    // from the fittest finite neighbour
  double fitness = 0;        // of the new centre
  std::string warning = {};  // empty: nothing to tell
};

/// Carries out what the replacement decides (Schmiedlechner et al. 2018): the offspring's
/// genome is moved into the centre, or that of the fittest finite neighbour is copied over it.
/// Departure: the original lets a network that is not finite stand; here it never becomes a centre.
/// NumericError when there is nothing finite to put in its place.
ReplacementResult replace_centre(const ReplacementInput& input, Pair& centre, Pair& offspring);

}  // namespace lipizz::coev
