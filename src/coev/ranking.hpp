#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/ids.hpp"

namespace lipizz::coev {

/// Comparisons of fitness: lower is better, since it is a loss (Schmiedlechner et al. 2018).
/// Departure: the originals let a NaN compare as it likes; here what is not finite loses to
/// everything, and a tie goes to the lower cell, so that results do not depend on the order in
/// which members arrive.

/// True when fitness `a` is strictly better than `b`.
bool is_better(double a, double b);

/// True when individual `a` precedes `b`: by fitness, and on a tie by cell.
bool precedes(double fitness_a, CellId a, double fitness_b, CellId b);

/// The index of the best individual whose fitness is finite, ties by cell; none when there is none.
std::optional<std::size_t> best_finite(std::span<const double> fitness,
                                       std::span<const CellId> cells);

/// The indices of all individuals, the best first, ties by cell; those whose fitness is not finite
/// come last.
std::vector<std::size_t> ranked(std::span<const double> fitness, std::span<const CellId> cells);

}  // namespace lipizz::coev
