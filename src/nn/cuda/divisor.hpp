#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/check.hpp"

namespace lipizz::nn::cuda {

/// Divides indices below 2^31 by a number that is known before a launch, with a multiplication and
/// a shift: devices have no instruction for a division (Granlund and Montgomery 1994, figure 4.1).
class Divisor {
 public:
  /// How many indices there may be, and the greatest divisor.
  static constexpr std::size_t kMost = std::size_t{1} << 31;

  explicit Divisor(std::size_t d) : d_(static_cast<std::uint32_t>(d)) {
    LIPIZZ_ASSERT(d > 0 && d <= kMost);
    shift_ = static_cast<std::uint32_t>(std::bit_width(d_ - 1));
    const std::uint64_t power = std::uint64_t{1} << shift_;
    multiplier_ = static_cast<std::uint32_t>(((power - d_) << 32) / d_ + 1);
  }

  [[nodiscard]] constexpr std::uint32_t value() const { return d_; }
  [[nodiscard]] constexpr std::uint32_t quotient(std::size_t i) const {
    const auto n = static_cast<std::uint32_t>(i);
    const auto high = static_cast<std::uint32_t>((std::uint64_t{n} * multiplier_) >> 32);
    return (high + n) >> shift_;
  }
  [[nodiscard]] constexpr std::uint32_t remainder(std::size_t i) const {
    return static_cast<std::uint32_t>(i) - quotient(i) * d_;
  }

 private:
  std::uint32_t d_;
  std::uint32_t shift_ = 0;
  std::uint32_t multiplier_ = 0;
};

}  // namespace lipizz::nn::cuda
