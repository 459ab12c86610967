#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"

namespace lipizz::grid {

/// What one worker has to itself: its node's cores and memory divided by the workers there.
struct Capacity {
  double cores = 1;         // above 0
  double memory_bytes = 1;  // above 0
};

/// Which worker hosts which cells. Workers are numbered from 0 in the order they were given.
struct Placement {
  std::vector<std::vector<CellId>> hosted;  // per worker, ascending; empty: a spare
  std::vector<std::size_t> worker_of;       // per cell
};

/// Places `n_cells` (at least 1) on workers (at least 1); a pure function.
///
/// As many workers as cells: one each, in order. More: the weakest are spares, the later one among
/// equals. Fewer: contiguous blocks in the order of the workers, each at least one cell, so that
/// the most loaded worker has as few cells for its weight as can be; with equal weights the blocks
/// differ by at most one. A worker's weight is its share of all cores or of all memory, whichever
/// is smaller. InternalError on an empty list or a capacity that is not above 0.
Placement place(std::uint32_t n_cells, std::span<const Capacity> workers);

/// Moves the cells of lost workers, the lowest first, each to where the load (cells for the
/// worker's weight) is lowest with it, to the first among equals; a spare has no cells so far.
/// `worker_of` is by cell, `is_lost` by worker. InternalError when no worker is left.
std::vector<std::size_t> move_cells(std::vector<std::size_t> worker_of,
                                    std::span<const Capacity> workers,
                                    const std::vector<bool>& is_lost);

}  // namespace lipizz::grid
