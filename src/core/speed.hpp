#pragma once

#include <cstdint>

namespace lipizz {

/// How long a worker takes, in seconds or in any other unit that all workers of a run share: for a
/// batch where it was measured, for a generation where cells are placed. Neither is below 0.
struct Speed {
  double fixed_s = 0;     // whatever the number of its cells
  double per_cell_s = 0;  // for each of its cells

  /// None without cells.
  [[nodiscard]] double with(std::uint32_t n_cells) const {
    return n_cells == 0 ? 0 : fixed_s + per_cell_s * n_cells;
  }
};

}  // namespace lipizz
