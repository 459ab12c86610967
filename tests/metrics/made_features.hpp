#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "metrics/feature_rows.hpp"

namespace lipizz::metrics::testing {

/// n numbers that a line of any language makes to the same bits: sums of two uniform numbers in
/// [-1, 1) each, of the generator x <- 1664525 x + 1013904223 mod 2^32, times `scale`, plus
/// `shift`.
inline std::vector<float> made_features(std::size_t n, std::uint32_t seed, float scale = 1,
                                        float shift = 0) {
  std::uint32_t state = seed;
  const auto uniform = [&] {
    state = state * 1664525 + 1013904223;
    return static_cast<float>(state >> 8) * 0x1p-23f - 1;
  };
  std::vector<float> values(n);
  for (float& value : values) {
    const float first = uniform();
    value = (first + uniform()) * scale + shift;
  }
  return values;
}

}  // namespace lipizz::metrics::testing
