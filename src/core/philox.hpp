#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/math.hpp"

/// Philox-4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11) and what
/// numbers are made of its words; the same bits on every processor and device.
namespace lipizz::philox {

/// Everything that a random number is a function of, beside its sample and position.
struct Stream {
  std::uint32_t key[2] = {};
  std::uint32_t generation = 0;
  std::uint32_t cell_and_purpose = 0;
};

using Block = std::array<std::uint32_t, 4>;

/// Four independent words for (sample, position).
constexpr Block block(const Stream& stream, std::uint32_t sample, std::uint32_t position) {
  std::uint32_t c0 = position;
  std::uint32_t c1 = sample;
  std::uint32_t c2 = stream.generation;
  std::uint32_t c3 = stream.cell_and_purpose;
  std::uint32_t k0 = stream.key[0];
  std::uint32_t k1 = stream.key[1];
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * c0;
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * c2;
    c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(p1);
    c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(p0);
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  return {c0, c1, c2, c3};
}

/// Uniform in [0, 1), 24 bits.
constexpr float uniform(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24f;
}

/// Two standard normals (Box and Muller) of two words; the first is mapped to (0, 1] so that its
/// logarithm is finite.
struct Normals {
  float x;
  float y;
};
constexpr Normals normals(std::uint32_t a, std::uint32_t b) {
  const float u = static_cast<float>(static_cast<std::int32_t>((a >> 8) + 1)) * 0x1p-24f;
  const float v = static_cast<float>(static_cast<std::int32_t>(b >> 8)) * 0x1p-24f;
  const float radius = std::sqrt(-2.0f * math::log(u));
  const math::SinCos angle = math::sincos_turns(v);
  return {radius * angle.cos, radius * angle.sin};
}

}  // namespace lipizz::philox
