#pragma once

#include <cstddef>
#include <cstring>

#include "core/simd.hpp"
#include "metrics/packed_rows.hpp"

/// How PackedRows computes a tile; each type of values in a source of its own, since single
/// precision is built with other options.
namespace lipizz::metrics {

template <class T, std::size_t n_bytes>
struct Lanes {
  using Vector [[gnu::vector_size(n_bytes)]] = T;
};

/// Some rows of a tile and two vectors of its columns, with all sums in registers. rows, columns:
/// [n, width of a panel].
template <class T, std::size_t n_bytes, std::size_t n_rows>
LIPIZZ_INLINE void multiply_part(const T* rows, const T* columns, std::size_t n, T* out) {
  using Vector = typename Lanes<T, n_bytes>::Vector;
  constexpr std::size_t kWidth = PackedRows<T>::kPanelRows;
  constexpr std::size_t kLanes = n_bytes / sizeof(T);
  Vector left[n_rows] = {};
  Vector right[n_rows] = {};
  for (std::size_t k = 0; k < n; ++k, rows += kWidth, columns += kWidth) {
    Vector a;
    Vector b;
    std::memcpy(&a, columns, n_bytes);
    std::memcpy(&b, columns + kLanes, n_bytes);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < n_rows; ++r) {
      left[r] += rows[r] * a;
      right[r] += rows[r] * b;
    }
  }
  for (std::size_t r = 0; r < n_rows; ++r) {
    std::memcpy(out + r * kWidth, &left[r], n_bytes);
    std::memcpy(out + r * kWidth + kLanes, &right[r], n_bytes);
  }
}

/// Registers of n_bytes, as many as n_rows * 2 sums and three more.
template <std::size_t n_bytes, std::size_t n_rows, class T>
LIPIZZ_INLINE void multiply_in_registers(const T* rows, const T* columns, std::size_t n, T* out) {
  constexpr std::size_t kWidth = PackedRows<T>::kPanelRows;
  constexpr std::size_t kColumns = 2 * n_bytes / sizeof(T);
  for (std::size_t r = 0; r < PackedRows<T>::kTileRows; r += n_rows) {
    for (std::size_t c = 0; c < kWidth; c += kColumns) {
      multiply_part<T, n_bytes, n_rows>(rows + r, columns + c, n, out + r * kWidth + c);
    }
  }
}

}  // namespace lipizz::metrics
