#pragma once

#include <cstddef>

/// `LIPIZZ_AVX512_BF16`, where it is defined, compiles a function with AVX-512's instructions for
/// bf16; only processors that have them may call it (nn/cpu/numerics.hpp).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>
#define LIPIZZ_AVX512_BF16 __attribute__((target("arch=x86-64-v4,avx512bf16")))

namespace lipizz::nn {

/// The mask of the first n lanes of a vector of floats, or of all.
LIPIZZ_AVX512_BF16 inline __mmask16 first_lanes(std::size_t n) {
  constexpr unsigned kAll = 0xffff;
  return static_cast<__mmask16>(n >= 16 ? kAll : (1U << n) - 1);
}

/// Two vectors rounded to bf16, the first one's numbers before the second's.
LIPIZZ_AVX512_BF16 inline __m512i rounded(__m512 first, __m512 second) {
  return reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(second, first));
}

}  // namespace lipizz::nn
#endif
