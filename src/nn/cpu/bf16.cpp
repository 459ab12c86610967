#include "nn/cpu/bf16.hpp"

#include <bit>

#include "core/simd.hpp"
#include "nn/base/buffer.hpp"

namespace lipizz::nn {
namespace {

constexpr std::uint32_t kHalf = 16;  // bits

// A NaN whose first half were that of an infinity keeps a bit.
constexpr LIPIZZ_INLINE Bf16 rounded_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const bool is_nan = (bits & 0x7fffffffU) > 0x7f800000U;
  const std::uint32_t up = bits + 0x7fffU + ((bits >> kHalf) & 1U);
  return static_cast<Bf16>((is_nan ? bits | 0x400000U : up) >> kHalf);
}

}  // namespace

LIPIZZ_MULTIVERSION
void round_to_bf16(const float* x, Bf16* rounded, std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) rounded[i] = rounded_of(x[i]);
}

std::size_t n_floats_of_bf16(std::size_t n) {
  return padded<float>((n + 1) / 2);
}

}  // namespace lipizz::nn
