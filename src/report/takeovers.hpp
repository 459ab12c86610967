#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "report/history.hpp"

namespace lipizz::report {

/// A network of `from` went on in its neighbour `to`, so often in a run.
struct Takeover {
  CellId from;
  CellId to;
  std::uint64_t n = 0;
};

/// All pairs that happened, the most frequent first, then by cell.
std::vector<Takeover> takeovers_of(const History& history, NetworkRole role);

/// From which cells' networks of the seeded start those of later generations descend: whoever is
/// taken over goes on with the taker's founder. Where a line is missing, and of an asynchronous
/// exchange, whose copies may be older than the generation before, it is close to that.
struct Founders {
  /// In each of `generations`, of each cell in order.
  std::vector<std::vector<std::uint32_t>> of_cells;
  /// How many founders have a descendant, in each generation from the first.
  std::vector<float> n_alive;
};
/// generations: in order, each from 1 to history.generations().
Founders founders_of(const History& history, NetworkRole role,
                     std::span<const Generation> generations);

/// An ancestor that was in another cell than the one that went on with it.
struct Move {
  Generation generation = 0;  // in which the other cell took it
  CellId from;
};
/// The way of a cell's network at the end back to the start, newest move first, so many at most.
std::vector<Move> moves_of(const History& history, NetworkRole role, CellId cell,
                           std::size_t n_at_most);

}  // namespace lipizz::report
