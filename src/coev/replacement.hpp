#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "coev/genome.hpp"
#include "coev/settings.hpp"
#include "coev/subpopulation.hpp"
#include "core/ids.hpp"

namespace lipizz::coev {

enum class Decision {
  kKeep,       // the centre stays
  kOffspring,  // the offspring takes its place
  kRescue,     // the best finite neighbour does
};

/// Fitness is NaN for who is not finite. Elitist: both have met the same opponents on the same
/// batch; the offspring wins if it is strictly better, and the centre stays if it is finite.
/// Generational: the offspring wins if it is finite; `centre` does not matter.
Decision decide(Replacement replacement, double centre, double offspring);

/// The place of the best finite one, ties by cell; none when there is none.
std::optional<std::size_t> best_finite(std::span<const double> fitness,
                                       std::span<const CellId> cells);

/// A cell's offspring of one species against the centre that it may replace.
struct ReplacementInput {
  Replacement replacement;
  NetworkRole role;
  const Subpopulation& members;    // centre first
  std::span<const double> before;  // each member's fitness before training; may be empty if
                                   // generational and the offspring is finite
  double offspring;                // its fitness
};

struct ReplacementResult {
  bool is_replaced = false;  // by the offspring
  double fitness = 0;        // of the new centre
  std::string warning;       // empty: nothing to tell
};

/// Carries the decision out: the offspring changes places with the centre, or a neighbour's genome
/// is copied over it. NumericError when neither is possible.
ReplacementResult settle(const ReplacementInput& input, Pair& centre, Pair& offspring);

}  // namespace lipizz::coev
