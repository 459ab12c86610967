#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/speed.hpp"

namespace lipizz::grid {

/// A worker's share of its node: the cores and memory divided by the workers there.
struct Capacity {
  double cores = 1;         // above 0
  double memory_bytes = 1;  // above 0
};

/// The speeds to expect of workers of which nothing but this is known: a worker's weight is its
/// share of all cores or of all memory, whichever is smaller, and a cell takes it 1 / weight.
/// InternalError on a capacity that is not above 0.
std::vector<Speed> speeds_of(std::span<const Capacity> workers);

/// How many cells each worker hosts; 0: a spare. Workers are numbered from 0 in the order they were
/// given, and cells lie on them in contiguous blocks in that order.
using Counts = std::vector<std::uint32_t>;

/// Places `n_cells` (at least 1) on workers (at least 1); a pure function, whose time hardly grows
/// with the cells. InternalError when there is nothing to place, or nowhere to.
///
/// As many workers as cells: one each, in order. More: the weakest are spares, the later one among
/// equals. Fewer: each at least one cell, so that the slowest worker takes as short as can be; of
/// equal workers none has over one cell more than another.
Counts place(std::uint32_t n_cells, std::span<const Capacity> workers);

/// The same where speeds were measured: the slowest worker's generation is as short as can be, and
/// a worker that would only make it longer is a spare.
Counts place(std::uint32_t n_cells, std::span<const Speed> workers);

/// Moves cells from where a generation is longest to where it is shortest with one more, as long as
/// that makes the longest shorter, which is then as short as can be. The last
/// cells of a worker go first, to the first among equals. Where `may_be_empty` is false a
/// worker keeps a cell. `worker_of` is by cell, the rest by worker.
std::vector<std::size_t> balance(std::vector<std::size_t> worker_of, std::span<const Speed> workers,
                                 const std::vector<bool>& may_be_empty);

/// The longest generation of any worker.
double longest_generation(std::span<const std::size_t> worker_of, std::span<const Speed> workers);

/// Moves the cells of lost workers, the lowest cell first, each to where a generation is shortest
/// with it, to the first among equals; a spare has no cells so far. `worker_of` is by cell,
/// `is_lost` by worker. InternalError when no worker is left.
std::vector<std::size_t> move_cells(std::vector<std::size_t> worker_of,
                                    std::span<const Speed> workers,
                                    const std::vector<bool>& is_lost);

}  // namespace lipizz::grid
