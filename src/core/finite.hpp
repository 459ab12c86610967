#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace lipizz {
namespace detail {

// All bits of the exponent are set in infinities and NaNs alone. The loop has no branch and a mask
// as wide as a value, so that compilers vectorise it: one that stops at the first such value takes
// four times as long on networks, which hardly ever have one.
template <class Bits, Bits kExponent, class Value>
constexpr bool all_finite(std::span<const Value> values) {
  Bits found = 0;
  for (const Value v : values) {
    found |= static_cast<Bits>((std::bit_cast<Bits>(v) & kExponent) == kExponent);
  }
  return found == 0;
}

}  // namespace detail

/// True where no value is infinite or NaN.
[[nodiscard]] constexpr bool all_finite(std::span<const float> values) {
  return detail::all_finite<std::uint32_t, 0x7f800000>(values);
}
[[nodiscard]] constexpr bool all_finite(std::span<const double> values) {
  return detail::all_finite<std::uint64_t, 0x7ff0000000000000>(values);
}

}  // namespace lipizz
