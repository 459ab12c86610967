#pragma once

#include <cmath>
#include <vector>

#include "nn/cpu/numerics.hpp"

/// For tests of loops that are written for each level.
namespace lipizz::nn::testing {

/// Those without bf16 that this machine has.
inline std::vector<NumericsLevel> levels() {
  std::vector<NumericsLevel> all;
  for (const NumericsLevel level :
       {NumericsLevel::kBaseline, NumericsLevel::kAvx2, NumericsLevel::kAvx512}) {
    if (level <= detect_numerics_level()) all.push_back(level);
  }
  return all;
}

/// sum + a b, as the level computes it: in one instruction, rounded once, or in two.
inline float sum_of([[maybe_unused]] NumericsLevel level, float sum, float a, float b) {
#if defined(__x86_64__)
  if (level == NumericsLevel::kBaseline) return sum + a * b;
#endif
  return std::fma(a, b, sum);
}

}  // namespace lipizz::nn::testing
