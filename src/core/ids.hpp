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

/// A turn of the algorithm. Publication 0 is the seeded start, publication g what generation g
/// made.
using Generation = std::uint32_t;

/// The process that trains nothing and runs the grid.
inline constexpr Rank kMaster{0};

}  // namespace lipizz
