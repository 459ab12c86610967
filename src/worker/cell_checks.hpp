#pragma once

#include <cstdint>
#include <string>

#include "coev/cell_state.hpp"
#include "coev/settings.hpp"

namespace lipizz::worker {

/// Checks each number of a state that comes from outside against what the algorithm allows: finite
/// weights and statistics, variances and means of squares of at least 0, rates of at least 0 that a
/// float holds, losses that these settings lead to, a number of updates that leaves room for more,
/// cells of the grid, a mixture of distinct ones, this cell first, whose weights add up to 1.
/// CheckpointError that begins with `place` and tells what was expected of what.
void check_numbers(const coev::CellState& state, const coev::Settings& settings,
                   std::uint32_t n_cells, const std::string& place);

}  // namespace lipizz::worker
