#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace lipizz::nn::testing {

/// Numbers of both signs, a sine at steps of `frequency`; one frequency for each operand of a test.
inline std::vector<float> numbers(std::size_t n, float frequency = 1) {
  std::vector<float> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = std::sin(frequency * static_cast<float>(i));
  return all;
}

}  // namespace lipizz::nn::testing
