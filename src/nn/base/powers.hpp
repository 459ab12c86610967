#pragma once

#include <cstdint>

namespace lipizz::nn {

/// base^exponent by repeated squaring in double: the same bits on every machine.
constexpr double power(double base, std::uint32_t exponent) {
  double result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base) {
    if ((exponent & 1U) != 0) result *= base;
  }
  return result;
}

}  // namespace lipizz::nn
