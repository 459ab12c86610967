#pragma once

#include <compare>
#include <cstdint>

namespace lipizz {

/// A place on the grid: row-major index, row * columns + column.
struct CellId {
  std::uint32_t value = 0;
  auto operator<=>(const CellId&) const = default;
};

/// A process (or, in one process, a thread that plays one) in the WORLD communicator.
struct Rank {
  int value = 0;
  auto operator<=>(const Rank&) const = default;
};

/// One of the ranks that compute a cell together, in the CELL communicator; the first one is the
/// cell's worker.
struct RankInCell {
  std::uint32_t value = 0;
  auto operator<=>(const RankInCell&) const = default;
};

/// The worker of a rank other than the master: the first of the ranks that compute the same cells,
/// which follow one another from rank 1 on. The others are its helpers and host no cells.
constexpr Rank worker_of(Rank rank, std::uint32_t ranks_per_cell) {
  const auto n = static_cast<int>(ranks_per_cell);
  return {1 + (rank.value - 1) / n * n};
}

/// A turn of the algorithm. Publication 0 is the seeded start, publication g what generation g
/// made.
using Generation = std::uint32_t;

/// The process that trains nothing and runs the grid.
inline constexpr Rank kMaster{0};

}  // namespace lipizz
