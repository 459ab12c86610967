#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/check.hpp"

namespace lipizz::metrics {

/// Inner products of all pairs of rows, fast on every processor: a vector's lanes are pairs, and
/// each pair's sum runs over the values in their order.
///
/// Rows lie in panels [n_values, kPanelRows] of so many rows that two registers of 64 bytes hold
/// one value of each; rows beyond the last are zero. A tile has the products of kTileRows rows of
/// one panel with all rows of another.
///
/// In double precision the bits are the same on every machine. In single precision additions are
/// fused with multiplications where the processor can, which is twice as fast: such a product is
/// within n u |a| |b| of the true one, u = 2^-24, and good for bounds alone.
template <class T>
class PackedRows {
 public:
  static constexpr std::size_t kPanelRows = 128 / sizeof(T);
  static constexpr std::size_t kTileRows = 8;
  using Tile = std::array<std::array<T, kPanelRows>, kTileRows>;

  PackedRows(std::size_t n_rows, std::size_t n_values)
      : n_values_(n_values),
        n_panels_((n_rows + kPanelRows - 1) / kPanelRows),
        values_(n_panels_ * kPanelRows * n_values) {}

  void set(std::size_t row, std::size_t value, T to) {
    values_[(row / kPanelRows * n_values_ + value) * kPanelRows + row % kPanelRows] = to;
  }

  [[nodiscard]] std::size_t n_panels() const { return n_panels_; }

  /// The products of rows first_row .. first_row + kTileRows - 1, a multiple of kTileRows, with
  /// those of `panel` of other rows of as many values.
  void multiply(std::size_t first_row, const PackedRows& other, std::size_t panel,
                Tile& out) const {
    LIPIZZ_ASSERT(n_values_ == other.n_values_ && first_row % kTileRows == 0);
    LIPIZZ_ASSERT(first_row < n_panels_ * kPanelRows && panel < other.n_panels_);
    multiply_tile(
        &values_[first_row / kPanelRows * kPanelRows * n_values_] + first_row % kPanelRows,
        &other.values_[panel * kPanelRows * n_values_], n_values_, out.front().data());
  }

 private:
  // rows, columns: where a value of the first one lies, the next value kPanelRows behind it.
  static void multiply_tile(const T* rows, const T* columns, std::size_t n, T* out);

  std::size_t n_values_;
  std::size_t n_panels_;
  std::vector<T> values_;
};

}  // namespace lipizz::metrics
