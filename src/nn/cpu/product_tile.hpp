#pragma once

#include <cstddef>
#include <cstring>

#include "core/error.hpp"
#include "nn/cpu/avx512_bf16.hpp"
#include "nn/cpu/line_fetcher.hpp"
#include "nn/cpu/panel_packing.hpp"

/// A product of some rows of one matrix and some vectors of columns of another, its sums in
/// registers.
namespace lipizz::nn {

/// Rows of a tile, and its vectors of columns: their sums, the panel's vectors beside them and a
/// factor fill the registers.
inline constexpr std::size_t kTileRows = 8;
inline constexpr std::size_t kTileVectors = 3;

/// Steps after which a tile fetches some lines.
inline constexpr std::size_t kStepsToFetch = 8;

/// Factors are steps of one term or of a pair (nn/cpu/panel_packing.hpp), each in the room of a
/// float.
struct ProductTile {
  const float* a;
  std::size_t a_stride;  // in steps: from one row to the next or, by columns, one step to the next
  const float* b;        // [n_steps, columns of the vectors]
  std::size_t b_stride;  // from one step to the next
  float* c;
  std::size_t c_stride;
  std::size_t n_steps;
  std::size_t n_last;   // columns of the last vector
  const float* before;  // what the sums are added to, or null
  std::size_t before_stride;
  bool is_bent;  // by slope, below zero
  float slope;
  LineFetcher *of_a, *of_b;  // that are read next
};

#if defined(LIPIZZ_AVX512_BF16)
// sums + factor times columns, the factor in all lanes.
template <class Step>
LIPIZZ_AVX512_BF16 inline __m512 multiply_add(__m512 factor, __m512 columns, __m512 sums) {
  if constexpr (Step::kTerms == 1) {
    return _mm512_fmadd_ps(factor, columns, sums);
  } else {
    return _mm512_dpbf16_ps(sums, reinterpret_cast<__m512bh>(factor),
                            reinterpret_cast<__m512bh>(columns));
  }
}

LIPIZZ_AVX512_BF16 inline __m512 in_all_lanes(const float* step) {
  float bits = 0;
  std::memcpy(&bits, step, sizeof bits);
  return _mm512_set1_ps(bits);
}

template <class Step, std::size_t n_rows, std::size_t n_vectors, bool by_columns>
LIPIZZ_AVX512_BF16 void multiply_tile(const ProductTile& t) {
  __m512 sums[n_rows][n_vectors];
  const auto lanes_of = [&](std::size_t v) { return v + 1 < n_vectors ? kVectorLanes : t.n_last; };
#pragma GCC unroll 8
  for (std::size_t r = 0; r < n_rows; ++r) {
#pragma GCC unroll 3
    for (std::size_t v = 0; v < n_vectors; ++v) {
      sums[r][v] = _mm512_setzero_ps();
    }
  }
  for (std::size_t i = 0; i < t.n_steps; ++i) {
    const float* const b = t.b + i * t.b_stride;
    if (i % kStepsToFetch == 0) {
      t.of_a->fetch_some();
      t.of_b->fetch_some();
    }
    __m512 columns[n_vectors];
#pragma GCC unroll 3
    for (std::size_t v = 0; v < n_vectors; ++v) columns[v] = _mm512_loadu_ps(b + v * kVectorLanes);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < n_rows; ++r) {
      const std::size_t at = by_columns ? i * t.a_stride + r : r * t.a_stride + i;
      const __m512 factor = in_all_lanes(t.a + at);
#pragma GCC unroll 3
      for (std::size_t v = 0; v < n_vectors; ++v) {
        sums[r][v] = multiply_add<Step>(factor, columns[v], sums[r][v]);
      }
    }
  }
  const __m512 slope = _mm512_set1_ps(t.slope);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < n_rows; ++r) {
#pragma GCC unroll 3
    for (std::size_t v = 0; v < n_vectors; ++v) {
      if (t.before != nullptr) {
        const float* const before = t.before + r * t.before_stride + v * kVectorLanes;
        sums[r][v] += _mm512_maskz_loadu_ps(first_lanes(lanes_of(v)), before);
      }
      if (t.is_bent) {
        const __mmask16 is_below = _mm512_cmp_ps_mask(sums[r][v], _mm512_setzero_ps(), _CMP_NGT_UQ);
        sums[r][v] = _mm512_mask_mul_ps(sums[r][v], is_below, sums[r][v], slope);
      }
      store_lanes(t.c + r * t.c_stride + v * kVectorLanes, lanes_of(v), sums[r][v]);
    }
  }
}
#else
template <class Step, std::size_t n_rows, std::size_t n_vectors, bool by_columns>
void multiply_tile(const ProductTile&) {
  throw InternalError("this build has no products in blocks");
}
#endif

}  // namespace lipizz::nn
