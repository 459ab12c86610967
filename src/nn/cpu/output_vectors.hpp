#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "core/simd.hpp"
#include "nn/base/engine.hpp"

/// Outputs of convolutions by sixteen, in vectors of each level. For functions that are compiled
/// for one, into which all of it is inlined.
namespace lipizz::nn {

/// Outputs that are computed side by side.
inline constexpr std::size_t kDirectOutputs = 16;

/// Registers of n_bytes, enough of them for `most` times sixteen sums, a weight and a factor.
/// Beside one another in a line lie `most_in_line` of these at most, so that places of factors have
/// registers, too.
template <std::size_t n_bytes, std::size_t most, std::size_t most_in_line>
struct Registers {
  using Vector [[gnu::vector_size(n_bytes)]] = float;
  static constexpr std::size_t kVectors = kDirectOutputs * sizeof(float) / n_bytes;
  static constexpr std::size_t kMost = most;
  static constexpr std::size_t kMostInLine = most_in_line;
};

/// Sixteen outputs.
template <class Registers>
struct Outputs {
  static constexpr std::size_t kLanes = kDirectOutputs / Registers::kVectors;
  typename Registers::Vector vectors[Registers::kVectors];

  LIPIZZ_INLINE void clear() {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < Registers::kVectors; ++v) vectors[v] = typename Registers::Vector{};
  }
  LIPIZZ_INLINE void load(const float* from) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < Registers::kVectors; ++v) {
      std::memcpy(&vectors[v], from + v * kLanes, sizeof(vectors[v]));
    }
  }
  LIPIZZ_INLINE void store(float* to) const {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < Registers::kVectors; ++v) {
      std::memcpy(to + v * kLanes, &vectors[v], sizeof(vectors[v]));
    }
  }
  LIPIZZ_INLINE void add(float factor, const Outputs& other) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < Registers::kVectors; ++v) vectors[v] += factor * other.vectors[v];
  }
};

using BaselineRegisters = Registers<16, 2, 2>;
using Avx2Registers = Registers<32, 6, 6>;
using Avx512Registers = Registers<64, 16, 12>;

/// That of a level, of those that are compiled for single precision, from the baseline on; its bits
/// depend on nothing else. The processor has to offer the level.
template <class T, std::size_t n>
const T& at_level(const std::array<T, n>& compiled, NumericsLevel level) {
  return compiled[std::min(static_cast<std::size_t>(level), n - 1)];
}

}  // namespace lipizz::nn
