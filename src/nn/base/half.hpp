#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/simd.hpp"

namespace lipizz::nn {

/// Formats of 16 bits that values of mixed precision have (Micikevicius et al. 2018, "Mixed
/// precision training"): fp16 is IEEE's half precision, with 10 bits of mantissa, up to 65,504 and
/// down to 6e-8; bf16 has 7 bits, and the range of single precision.
enum class Half { kFp16, kBf16 };

/// The number nearest to x in that format, ties to the even one, as its 16 bits. A number that
/// is too large becomes infinite; NaNs stay NaNs.
template <Half format>
constexpr LIPIZZ_INLINE std::uint32_t half_bits(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const bool is_nan = magnitude > 0x7f800000U;
  if constexpr (format == Half::kBf16) {
    const std::uint32_t up = bits + 0x7fffU + ((bits >> 16) & 1U);
    return (is_nan ? bits | 0x400000U : up) >> 16;
  } else {
    constexpr std::uint32_t kHalf = 0x3f000000U, kInfinite = 0x7c00U, kNan = 0x7e00U;
    constexpr std::uint32_t kLeastNormal = 0x38800000U;  // 2^-14
    // Where one is added to them, floats below 2^-14 are rounded to multiples of 2^-24.
    const std::uint32_t small =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - kHalf;
    const std::uint32_t up = magnitude + 0xfffU + ((magnitude >> 13) & 1U);
    const std::uint32_t large = std::min((up >> 13) - (112U << 10), kInfinite);
    const std::uint32_t half = magnitude < kLeastNormal ? small : large;
    return (is_nan ? kNan : half) | ((bits >> 16) & 0x8000U);
  }
}

/// The number of these bits.
template <Half format>
constexpr LIPIZZ_INLINE float half_number(std::uint32_t bits) {
  if constexpr (format == Half::kBf16) {
    return std::bit_cast<float>(bits << 16);
  } else {
    constexpr std::uint32_t kHalf = 0x3f000000U;
    const std::uint32_t magnitude = bits & 0x7fffU;
    const auto small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(kHalf + magnitude) - 0.5F);
    const std::uint32_t normal = (magnitude << 13) + (112U << 23);
    const std::uint32_t beyond = (magnitude << 13) + (224U << 23);  // infinities and NaNs
    const std::uint32_t large = magnitude < 0x7c00U ? normal : beyond;
    const std::uint32_t of_magnitude = magnitude < 0x400U ? small : large;
    return std::bit_cast<float>(of_magnitude | ((bits & 0x8000U) << 16));
  }
}

/// x rounded to that format.
template <Half format>
constexpr LIPIZZ_INLINE float rounded_to(float x) {
  return half_number<format>(half_bits<format>(x));
}

/// Two to a float: number i of n lies in the first half of float i, or in the second half of float
/// i - n_packed(n).
constexpr std::size_t n_packed(std::size_t n) {
  return (n + 1) / 2;
}
constexpr LIPIZZ_INLINE float packed(std::uint32_t first, std::uint32_t second) {
  return std::bit_cast<float>(first | (second << 16));
}

}  // namespace lipizz::nn
