#pragma once

#include <cstdint>
#include <span>

#include "coev/genome.hpp"
#include "coev/settings.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"

namespace lipizz::coev {

/// Whether a cell's offspring may come from a neighbour, so that moments must travel.
inline bool selects(const Settings& settings) {
  return settings.tournament_size > 1;
}

/// Whether individual `a` goes before `b`: by fitness, and on a tie by cell.
bool precedes(double fitness_a, CellId a, double fitness_b, CellId b);

/// The place of the best of `size` distinct individuals drawn uniformly (of all of them when there
/// are fewer). fitness, cells: one per individual. When no drawn one has a finite fitness, it is
/// the first by cell. Generators and discriminators have tournaments of their own.
std::size_t tournament(std::span<const double> fitness, std::span<const CellId> cells,
                       std::uint32_t size, const Random& random, NetworkRole role);

}  // namespace lipizz::coev
