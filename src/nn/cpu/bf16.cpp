#include "nn/cpu/bf16.hpp"

#include <bit>

#include "core/simd.hpp"
#include "nn/base/buffer.hpp"
#include "nn/base/half.hpp"
#include "nn/cpu/avx512_bf16.hpp"

namespace lipizz::nn {
namespace {

LIPIZZ_MULTIVERSION
void round_by_bits(const float* x, Bf16* rounded, std::size_t n) {
  constexpr std::uint32_t kMagnitude = 0x7fffffffU;
  constexpr std::uint32_t kLeastNormal = 0x00800000U;
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(x[i]);
    const std::uint32_t zero = (bits >> 16) & 0x8000U;
    rounded[i] =
        static_cast<Bf16>((bits & kMagnitude) < kLeastNormal ? zero : half_bits<Half::kBf16>(x[i]));
  }
}

#if defined(LIPIZZ_AVX512_BF16)
// Rounds as many numbers as fill pairs of vectors; their number.
LIPIZZ_AVX512_BF16 std::size_t round_vectors(const float* x, Bf16* to, std::size_t n) {
  constexpr std::size_t kLanes = 16;
  const std::size_t n_whole = n / (2 * kLanes) * (2 * kLanes);
  for (std::size_t i = 0; i < n_whole; i += 2 * kLanes) {
    const __m512i both = rounded(_mm512_loadu_ps(x + i), _mm512_loadu_ps(x + i + kLanes));
    _mm512_storeu_si512(to + i, both);
  }
  return n_whole;
}
#endif

}  // namespace

void round_to_bf16(const float* x, Bf16* rounded, std::size_t n) {
  std::size_t done = 0;
#if defined(LIPIZZ_AVX512_BF16)
  if (has_avx512_bf16()) done = round_vectors(x, rounded, n);
#endif
  if (done < n) round_by_bits(x + done, rounded + done, n - done);
}

std::size_t n_floats_of_bf16(std::size_t n) {
  return padded<float>((n + 1) / 2);
}

}  // namespace lipizz::nn
