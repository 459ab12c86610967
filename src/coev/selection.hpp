#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "coev/genome.hpp"
#include "coev/novelty.hpp"
#include "coev/operator.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"

namespace lipizz::coev {

/// The input of a selection: the sub-population of one cell in one generation, centre first.
/// Generators and discriminators are selected apart, but where the fitness is a score, which is
/// that of a pair: then as pairs.
struct SelectionInput {
  std::span<const double> fitness;  // of each member, lower is better; empty where it is not asked
  std::span<const CellId> cells;    // of each member; at least one
  const Random& random;             // keyed by seed, cell and generation; shared by both roles
  NetworkRole role;  // the sample index of the draws, so that generators and discriminators differ
  Generation generation = 0;
  std::span<const Behaviour> behaviours{};  // of each member; empty where they are not asked
};

/// The choice of the member of the sub-population that becomes the offspring in training: it is
/// copied with its moments, learning rate and loss (Schmiedlechner et al. 2018; without neighbours
/// it is the selection of Al-Dujaili et al. 2018). Elitism is a replacement, and no
/// selection (coev/replacement.hpp).
///
/// Every selection has these properties (tests/coev/operator_conformance.hpp): equal inputs give
/// equal results; a fitness that is not finite is ranked behind every finite one; of equally fit
/// members the lower cell counts as the fitter one.
struct Selection {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  /// True when it may select another member than the centre. Then it is handed every member's
  /// fitness, in the generations of its period (coev/period.hpp) where it has one, and selects the
  /// centre in all others; and neighbours have to send their moments (coev/migration.hpp).
  bool copies_neighbours = true;
  /// True when both networks are to come from one member. It is then asked as for the generator,
  /// and where the fitness is a loss, by the generators' alone.
  bool selects_pairs = false;
  /// True when it is handed the members' behaviours. It then needs a fitness by score, whose
  /// samples tell them, and selects pairs.
  bool compares_behaviours = false;
  /// The index of the member.
  std::size_t (*select)(const SelectionInput& input, ParameterValues values);
};

/// Every selection there is.
std::span<const Selection* const> selections();

}  // namespace lipizz::coev
