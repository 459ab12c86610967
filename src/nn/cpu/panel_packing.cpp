#include "nn/cpu/panel_packing.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "nn/cpu/avx512_bf16.hpp"
#include "nn/cpu/bf16.hpp"

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

using Steps [[gnu::vector_size(64)]] = int;

// The steps of whole vectors of terms, or of the first n, the others zero.
template <class Step, class Number>
LIPIZZ_AVX512_BF16 inline Steps load_steps(const Number* from) {
  if constexpr (Step::kTerms == 1) {
    return reinterpret_cast<Steps>(_mm512_loadu_ps(from));
  } else {
    return reinterpret_cast<Steps>(joined(from, from + kVectorLanes));
  }
}
template <class Step, class Number>
LIPIZZ_AVX512_BF16 inline Steps load_steps(const Number* from, std::size_t n) {
  if constexpr (Step::kTerms == 1) {
    return reinterpret_cast<Steps>(_mm512_maskz_loadu_ps(first_lanes(n), from));
  } else {
    const std::size_t n_second = n > kVectorLanes ? n - kVectorLanes : 0;
    return reinterpret_cast<Steps>(joined(from, n, from + kVectorLanes, n_second));
  }
}

// Parts of `size` steps right of the diagonal change places with those below it.
template <std::size_t size, std::size_t... i>
LIPIZZ_AVX512_BF16 inline void exchange(Steps& upper, Steps& lower, std::index_sequence<i...>) {
  constexpr std::size_t kLower = kVectorLanes;
  const Steps before = upper;
  upper = __builtin_shufflevector(before, lower, ((i & size) != 0 ? kLower + i - size : i)...);
  lower = __builtin_shufflevector(before, lower, ((i & size) != 0 ? kLower + i : i + size)...);
}

// The steps of the first n_terms of n_rows rows, the others zero.
template <class Step, class Number>
LIPIZZ_AVX512_BF16 inline void load_block(const Number* from, std::size_t stride,
                                          std::size_t n_rows, std::size_t n_terms,
                                          Steps (&block)[kVectorLanes]) {
  if (n_rows == kVectorLanes && n_terms == Step::kTerms * kVectorLanes) {
#pragma GCC unroll 16
    for (std::size_t row = 0; row < kVectorLanes; ++row, from += stride) {
      block[row] = load_steps<Step>(from);
    }
    return;
  }
  for (std::size_t row = 0; row < kVectorLanes; ++row, from += stride) {
    block[row] = row < n_rows ? load_steps<Step>(from, n_terms) : Steps{};
  }
}

template <std::size_t size>
LIPIZZ_AVX512_BF16 inline void exchange_parts(Steps (&rows)[kVectorLanes]) {
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kVectorLanes; ++i) {
    if ((i & size) != 0) continue;
    exchange<size>(rows[i], rows[i + size], std::make_index_sequence<kVectorLanes>());
  }
}

LIPIZZ_AVX512_BF16 inline void transpose_block(Steps (&rows)[kVectorLanes]) {
  exchange_parts<8>(rows);
  exchange_parts<4>(rows);
  exchange_parts<2>(rows);
  exchange_parts<1>(rows);
}

LIPIZZ_AVX512_BF16 void copy_rows(const Terms<float>& x, float* packed) {
  for (std::size_t k = 0; k < x.n_terms; ++k) {
    const float* const row = x.first + k * x.stride;
    std::size_t j = 0;
    for (; j + kVectorLanes <= x.n; j += kVectorLanes, packed += kVectorLanes) {
      _mm512_storeu_ps(packed, _mm512_loadu_ps(row + j));
    }
    if (j == x.n) continue;
    _mm512_storeu_ps(packed, _mm512_maskz_loadu_ps(first_lanes(x.n - j), row + j));
    packed += kVectorLanes;
  }
}

LIPIZZ_AVX512_BF16 inline void store_vector(float* to, __m512i x, bool past_caches) {
  if (past_caches) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), x);
  } else {
    _mm512_storeu_si512(to, x);
  }
}

template <class Number>
LIPIZZ_AVX512_BF16 void interleave_rows(const Terms<Number>& x, float* packed, bool past_caches) {
  alignas(64) static constexpr Bf16 kInterleaved[2 * kVectorLanes] = {
      0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
      8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  const __m512i order = _mm512_load_si512(kInterleaved);
  for (std::size_t k = 0; k < x.n_terms; k += 2) {
    const Number* const row = x.first + k * x.stride;
    const bool has_second = k + 1 < x.n_terms;
    const Number* const next = has_second ? row + x.stride : row;
    std::size_t j = 0;
    for (; has_second && j + kVectorLanes <= x.n; j += kVectorLanes, packed += kVectorLanes) {
      const __m512i both = joined(row + j, next + j);
      store_vector(packed, _mm512_permutexvar_epi16(order, both), past_caches);
    }
    for (; j < x.n; j += kVectorLanes, packed += kVectorLanes) {
      const __m512i both = joined(row + j, x.n - j, next + j, has_second ? x.n - j : 0);
      store_vector(packed, _mm512_permutexvar_epi16(order, both), past_caches);
    }
  }
}

template <class Step, class Number>
LIPIZZ_AVX512_BF16 void join_rows(const Terms<Number>& x, float* packed,
                                  [[maybe_unused]] bool past_caches) {
  if constexpr (Step::kTerms == 1) {
    copy_rows(x, packed);
  } else {
    interleave_rows(x, packed, past_caches);
  }
}

// Stores the first n lanes of each of a block's rows; past the caches where that is all.
LIPIZZ_AVX512_BF16 inline void store_block(const Steps (&block)[kVectorLanes], std::size_t n_rows,
                                           std::size_t n, float* to, std::size_t stride,
                                           bool past_caches) {
  if (past_caches && n >= kVectorLanes) {
    for (std::size_t i = 0; i < n_rows; ++i, to += stride) {
      store_vector(to, reinterpret_cast<__m512i>(block[i]), true);
    }
    return;
  }
  for (std::size_t i = 0; i < n_rows; ++i, to += stride) {
    store_lanes(to, n, reinterpret_cast<__m512>(block[i]));
  }
}

// Stores n_whole numbers of each row of results, those beyond x.n zero.
template <class Step, class Number>
LIPIZZ_AVX512_BF16 void transpose_blocks(const Terms<Number>& x, float* to, std::size_t stride,
                                         std::size_t n_whole, bool past_caches) {
  constexpr std::size_t kMostTerms = Step::kTerms * kVectorLanes;
  for (std::size_t j = 0; j < x.n; j += kVectorLanes) {
    const std::size_t n_here = std::min(x.n - j, kVectorLanes);
    for (std::size_t k = 0; k < x.n_terms; k += kMostTerms) {
      const std::size_t n_terms = std::min(x.n_terms - k, kMostTerms);
      Steps block[kVectorLanes];
      load_block<Step>(x.first + j * x.stride + k, x.stride, n_here, n_terms, block);
      transpose_block(block);
      store_block(block, n_steps<Step>(n_terms), n_whole - j, to + k / Step::kTerms * stride + j,
                  stride, past_caches);
    }
  }
}
#else
template <class Step, class Number>
void join_rows(const Terms<Number>&, float*, bool) {
  throw InternalError("factors are packed on processors that multiply them in steps");
}
template <class Step, class Number>
void transpose_blocks(const Terms<Number>& x, float* to, std::size_t, std::size_t, bool) {
  join_rows<Step>(x, to, false);
}
#endif

}  // namespace

bool has_steps([[maybe_unused]] NumericsLevel level, [[maybe_unused]] Precision precision) {
#if defined(LIPIZZ_AVX512_BF16)
  return precision == Precision::kBf16 ? level == NumericsLevel::kAvx512Bf16
                                       : level >= NumericsLevel::kAvx512;
#else
  return false;
#endif
}

// GCC loses the instructions that a template may use where a declaration before does not name them.
template <class Step, class Number>
void pack_rows(const Terms<Number>& x, float* packed, bool past_caches) {
  join_rows<Step>(x, packed, past_caches);
}

template <class Step, class Number>
void pack_columns(const Terms<Number>& x, float* packed, std::size_t stride, bool past_caches) {
  transpose_blocks<Step>(x, packed, stride, in_whole_vectors(x.n), past_caches);
}

void finish_stores() {
#if defined(LIPIZZ_AVX512_BF16)
  _mm_sfence();
#endif
}

void transpose(const Terms<float>& x, float* to, std::size_t stride) {
  transpose_blocks<Single>(x, to, stride, x.n, false);
}

template <class Number>
void round_pairs(const Terms<Number>& x, float* packed) {
  auto* pairs = reinterpret_cast<Bf16*>(packed);
  const std::size_t size = 2 * n_steps<Pair>(x.n_terms);
  if (size == x.n_terms && x.stride == size) return write_rounded(x.first, x.n * size, pairs);
  for (std::size_t j = 0; j < x.n; ++j, pairs += size) {
    write_rounded(x.first + j * x.stride, x.n_terms, pairs);
    std::fill_n(pairs + x.n_terms, size - x.n_terms, Bf16{0});
  }
}

template void pack_rows<Single>(const Terms<float>& x, float* packed, bool past_caches);
template void pack_rows<Pair>(const Terms<float>& x, float* packed, bool past_caches);
template void pack_rows<Pair>(const Terms<Bf16>& x, float* packed, bool past_caches);
template void pack_columns<Single>(const Terms<float>& x, float* packed, std::size_t stride,
                                   bool past_caches);
template void pack_columns<Pair>(const Terms<float>& x, float* packed, std::size_t stride,
                                 bool past_caches);
template void pack_columns<Pair>(const Terms<Bf16>& x, float* packed, std::size_t stride,
                                 bool past_caches);
template void round_pairs(const Terms<float>& x, float* packed);
template void round_pairs(const Terms<Bf16>& x, float* packed);

}  // namespace lipizz::nn
