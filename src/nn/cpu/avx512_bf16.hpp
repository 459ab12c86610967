#pragma once

#include <cstddef>
#include <cstring>

#include "nn/cpu/bf16.hpp"

/// `LIPIZZ_AVX512_BF16`, where it is defined, compiles a function with AVX-512's instructions and
/// those of it for bf16. Only processors with AVX-512 may call it, and only those with bf16 where
/// it names an instruction for bf16: compilers take none by themselves (nn/cpu/numerics.hpp).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#define LIPIZZ_AVX512_BF16 __attribute__((target("arch=x86-64-v4,avx512bf16")))

namespace lipizz::nn {

/// True where this processor has them.
inline bool has_avx512_bf16() {
  static const bool has_instructions = __builtin_cpu_supports("avx512bf16") != 0;
  return has_instructions;
}

/// The mask of the first n lanes of a vector of floats, or of all.
LIPIZZ_AVX512_BF16 inline __mmask16 first_lanes(std::size_t n) {
  constexpr unsigned kAll = 0xffff;
  return static_cast<__mmask16>(n >= 16 ? kAll : (1U << n) - 1);
}

/// Two vectors rounded to bf16, the first one's numbers before the second's.
LIPIZZ_AVX512_BF16 inline __m512i rounded(__m512 first, __m512 second) {
  return reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(second, first));
}

/// Stores the first n lanes, or all: those without a mask, as a masked store waits for its line.
LIPIZZ_AVX512_BF16 inline void store_lanes(float* to, std::size_t n, __m512 x) {
  if (n >= 16) return _mm512_storeu_ps(to, x);
  _mm512_mask_storeu_ps(to, first_lanes(n), x);
}

/// n numbers, a power of two up to sixteen, rounded to bf16.
template <std::size_t n>
LIPIZZ_AVX512_BF16 inline void round_block(const float* x, Bf16* to) {
  if constexpr (n == 16) {
    const __m256bh numbers = _mm512_cvtneps_pbh(_mm512_loadu_ps(x));
    std::memcpy(to, &numbers, sizeof numbers);
  } else if constexpr (n == 8) {
    const __m128bh numbers = _mm256_cvtneps_pbh(_mm256_loadu_ps(x));
    std::memcpy(to, &numbers, sizeof numbers);
  } else {
    const __m128bh numbers = _mm_cvtneps_pbh(_mm_maskz_loadu_ps((1U << n) - 1, x));
    std::memcpy(to, &numbers, n * sizeof(Bf16));
  }
}

}  // namespace lipizz::nn
#endif
