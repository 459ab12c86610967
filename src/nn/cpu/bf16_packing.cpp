#include "nn/cpu/bf16_packing.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "nn/cpu/avx512_bf16.hpp"

namespace lipizz::nn {
namespace {

void write_rounded(const float* x, std::size_t n, Bf16* rounded) {
  round_to_bf16(x, rounded, n);
}
void write_rounded(const Bf16* x, std::size_t n, Bf16* rounded) {
  std::copy_n(x, n, rounded);
}

#if defined(LIPIZZ_AVX512_BF16)
// The first numbers of two vectors, the second's behind the first's; the others are zero.
LIPIZZ_AVX512_BF16 inline __m512i joined(const float* first, std::size_t n_first,
                                         const float* second, std::size_t n_second) {
  return rounded(_mm512_maskz_loadu_ps(first_lanes(n_first), first),
                 _mm512_maskz_loadu_ps(first_lanes(n_second), second));
}
LIPIZZ_AVX512_BF16 inline __m512i joined(__m256i first, __m256i second) {
  using Half [[gnu::vector_size(32)]] = int;
  return reinterpret_cast<__m512i>(
      __builtin_shufflevector(reinterpret_cast<Half>(first), reinterpret_cast<Half>(second), 0, 1,
                              2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}
LIPIZZ_AVX512_BF16 inline __m512i joined(const Bf16* first, std::size_t n_first, const Bf16* second,
                                         std::size_t n_second) {
  return joined(_mm256_maskz_loadu_epi16(first_lanes(n_first), first),
                _mm256_maskz_loadu_epi16(first_lanes(n_second), second));
}

// The same of whole vectors.
LIPIZZ_AVX512_BF16 inline __m512i joined(const float* first, const float* second) {
  return rounded(_mm512_loadu_ps(first), _mm512_loadu_ps(second));
}
LIPIZZ_AVX512_BF16 inline __m256i load(const Bf16* x) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
}
LIPIZZ_AVX512_BF16 inline __m512i joined(const Bf16* first, const Bf16* second) {
  return joined(load(first), load(second));
}

using Pairs [[gnu::vector_size(64)]] = int;

// Parts of `size` pairs right of the diagonal change places with those below it.
template <std::size_t size, std::size_t... i>
LIPIZZ_AVX512_BF16 inline void exchange(Pairs& upper, Pairs& lower, std::index_sequence<i...>) {
  constexpr std::size_t kLower = kPairLanes;
  const Pairs before = upper;
  upper = __builtin_shufflevector(before, lower, ((i & size) != 0 ? kLower + i - size : i)...);
  lower = __builtin_shufflevector(before, lower, ((i & size) != 0 ? kLower + i : i + size)...);
}

// The pairs of the first n_terms of n_rows rows, the others zero.
template <class Number>
LIPIZZ_AVX512_BF16 inline void load_block(const Number* from, std::size_t stride,
                                          std::size_t n_rows, std::size_t n_terms,
                                          Pairs (&block)[kPairLanes]) {
  if (n_rows == kPairLanes && n_terms == 2 * kPairLanes) {
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kPairLanes; ++row, from += stride) {
      block[row] = reinterpret_cast<Pairs>(joined(from, from + kPairLanes));
    }
    return;
  }
  const std::size_t n_second = n_terms > kPairLanes ? n_terms - kPairLanes : 0;
  for (std::size_t row = 0; row < kPairLanes; ++row, from += stride) {
    block[row] = Pairs{};
    if (row >= n_rows) continue;
    block[row] = reinterpret_cast<Pairs>(joined(from, n_terms, from + kPairLanes, n_second));
  }
}

template <std::size_t size>
LIPIZZ_AVX512_BF16 inline void exchange_parts(Pairs (&rows)[kPairLanes]) {
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kPairLanes; ++i) {
    if ((i & size) != 0) continue;
    exchange<size>(rows[i], rows[i + size], std::make_index_sequence<kPairLanes>());
  }
}

LIPIZZ_AVX512_BF16 inline void transpose(Pairs (&rows)[kPairLanes]) {
  exchange_parts<8>(rows);
  exchange_parts<4>(rows);
  exchange_parts<2>(rows);
  exchange_parts<1>(rows);
}

template <class Number>
LIPIZZ_AVX512_BF16 void interleave_rows(const Terms<Number>& x, Bf16* packed) {
  alignas(64) static constexpr Bf16 kInterleaved[2 * kPairLanes] = {
      0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
      8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  const __m512i order = _mm512_load_si512(kInterleaved);
  for (std::size_t k = 0; k < x.n_terms; k += 2) {
    const Number* const row = x.first + k * x.stride;
    const bool has_second = k + 1 < x.n_terms;
    const Number* const next = has_second ? row + x.stride : row;
    std::size_t j = 0;
    for (; has_second && j + kPairLanes <= x.n; j += kPairLanes, packed += 2 * kPairLanes) {
      const __m512i both = joined(row + j, next + j);
      _mm512_storeu_si512(packed, _mm512_permutexvar_epi16(order, both));
    }
    for (; j < x.n; j += kPairLanes, packed += 2 * kPairLanes) {
      const __m512i both = joined(row + j, x.n - j, next + j, has_second ? x.n - j : 0);
      _mm512_storeu_si512(packed, _mm512_permutexvar_epi16(order, both));
    }
  }
}

template <class Number>
LIPIZZ_AVX512_BF16 void transpose_blocks(const Terms<Number>& x, Bf16* packed) {
  const std::size_t row_size = 2 * in_whole_vectors(x.n);
  for (std::size_t j = 0; j < x.n; j += kPairLanes) {
    const std::size_t n_here = std::min(x.n - j, kPairLanes);
    for (std::size_t k = 0; k < x.n_terms; k += 2 * kPairLanes) {
      const std::size_t n_terms = std::min(x.n_terms - k, 2 * kPairLanes);
      Pairs block[kPairLanes];
      load_block(x.first + j * x.stride + k, x.stride, n_here, n_terms, block);
      transpose(block);
      Bf16* const to = packed + k / 2 * row_size + 2 * j;
      for (std::size_t i = 0; i < n_pairs(n_terms); ++i) {
        _mm512_storeu_si512(to + i * row_size, reinterpret_cast<__m512i>(block[i]));
      }
    }
  }
}
#else
template <class Number>
void interleave_rows(const Terms<Number>&, Bf16*) {
  throw InternalError("pairs in bf16 are packed on processors that multiply them");
}
template <class Number>
void transpose_blocks(const Terms<Number>& x, Bf16* packed) {
  interleave_rows(x, packed);
}
#endif

}  // namespace

// GCC loses the instructions that a template may use where a declaration before does not name them.
template <class Number>
void pack_pairs_of_rows(const Terms<Number>& x, Bf16* packed) {
  interleave_rows(x, packed);
}

template <class Number>
void pack_pairs_of_columns(const Terms<Number>& x, Bf16* packed) {
  transpose_blocks(x, packed);
}

template <class Number>
void round_pairs(const Terms<Number>& x, Bf16* packed) {
  const std::size_t size = 2 * n_pairs(x.n_terms);
  if (size == x.n_terms && x.stride == size) return write_rounded(x.first, x.n * size, packed);
  for (std::size_t j = 0; j < x.n; ++j, packed += size) {
    write_rounded(x.first + j * x.stride, x.n_terms, packed);
    std::fill_n(packed + x.n_terms, size - x.n_terms, Bf16{0});
  }
}

template void pack_pairs_of_rows(const Terms<float>& x, Bf16* packed);
template void pack_pairs_of_rows(const Terms<Bf16>& x, Bf16* packed);
template void pack_pairs_of_columns(const Terms<float>& x, Bf16* packed);
template void pack_pairs_of_columns(const Terms<Bf16>& x, Bf16* packed);
template void round_pairs(const Terms<float>& x, Bf16* packed);
template void round_pairs(const Terms<Bf16>& x, Bf16* packed);

}  // namespace lipizz::nn
