#pragma once

#include <cstdint>

#include "core/ids.hpp"

namespace lipizz::grid {

/// The grid of cells, closed in both directions: from 1x1 up to 2^24 cells (core/random.hpp keys
/// random numbers by 24 bits of a cell). Cells count row by row.
struct Torus {
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;

  bool operator==(const Torus&) const = default;

  [[nodiscard]] constexpr std::uint32_t cells() const { return rows * columns; }
  [[nodiscard]] constexpr std::uint32_t row(CellId cell) const { return cell.value / columns; }
  [[nodiscard]] constexpr std::uint32_t column(CellId cell) const { return cell.value % columns; }
  [[nodiscard]] constexpr CellId cell(std::uint32_t row, std::uint32_t column) const {
    return {row * columns + column};
  }

  /// The cell that lies `down` rows and `right` columns further on, wrapping round; both may be
  /// negative and of any size.
  [[nodiscard]] constexpr CellId offset(CellId from, int down, int right) const {
    return cell(wrapped(row(from), down, rows), wrapped(column(from), right, columns));
  }

  /// The cell `steps` further on in row-major order, the last one followed by the first.
  [[nodiscard]] constexpr CellId along_ring(CellId from, int steps) const {
    return {wrapped(from.value, steps, cells())};
  }

 private:
  static constexpr std::uint32_t wrapped(std::uint32_t at, int steps, std::uint32_t dimension) {
    const auto n = static_cast<std::int64_t>(dimension);
    return static_cast<std::uint32_t>(((std::int64_t{at} + steps) % n + n) % n);
  }
};

}  // namespace lipizz::grid
