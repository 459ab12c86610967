#include "core/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/check.hpp"
#include "core/math.hpp"
#include "core/simd.hpp"

namespace lipizz {
namespace {

constexpr std::uint32_t kLanes = 16;  // blocks that one vectorised pass computes together

struct Lanes {
  std::uint32_t word[4][kLanes];
};

inline void philox(std::uint32_t k0, std::uint32_t k1, Lanes& c) {
  for (int round = 0; round < 10; ++round) {
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * c.word[0][i];
      const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * c.word[2][i];
      c.word[0][i] = static_cast<std::uint32_t>(p1 >> 32) ^ c.word[1][i] ^ k0;
      c.word[2][i] = static_cast<std::uint32_t>(p0 >> 32) ^ c.word[3][i] ^ k1;
      c.word[1][i] = static_cast<std::uint32_t>(p1);
      c.word[3][i] = static_cast<std::uint32_t>(p0);
    }
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
}

// Box-Muller on two words; the first is mapped to (0, 1] so that its logarithm is finite.
inline void box_muller(std::uint32_t a, std::uint32_t b, float& x, float& y) {
  const float u = static_cast<float>(static_cast<std::int32_t>((a >> 8) + 1)) * 0x1p-24f;
  const float v = static_cast<float>(static_cast<std::int32_t>(b >> 8)) * 0x1p-24f;
  const float radius = std::sqrt(-2.0f * math::log(u));
  const math::SinCos angle = math::sincos_turns(v);
  x = radius * angle.cos;
  y = radius * angle.sin;
}

// Normals for blocks [first_block, first_block + kLanes) of a stream of samples, each
// `blocks_per_sample` long; out: [kLanes, 4].
LIPIZZ_MULTIVERSION
void normal_lanes(const std::uint32_t* key, std::uint32_t generation,
                  std::uint32_t cell_and_purpose, const std::uint32_t* sample,
                  const std::uint32_t* position, float* out) {
  Lanes c;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    c.word[0][i] = position[i];
    c.word[1][i] = sample[i];
    c.word[2][i] = generation;
    c.word[3][i] = cell_and_purpose;
  }
  philox(key[0], key[1], c);
  float n[4][kLanes];
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    box_muller(c.word[0][i], c.word[1][i], n[0][i], n[1][i]);
  }
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    box_muller(c.word[2][i], c.word[3][i], n[2][i], n[3][i]);
  }
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    for (std::uint32_t j = 0; j < 4; ++j) out[4 * i + j] = n[j][i];
  }
}

}  // namespace

Random::Random(std::uint64_t seed, Purpose purpose, CellId cell, Generation generation)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      generation_(generation),
      cell_and_purpose_(cell.value << 8 | static_cast<std::uint32_t>(purpose)) {
  LIPIZZ_ASSERT(cell.value < (1U << 24));
}

Random::Block Random::block(std::uint32_t sample, std::uint32_t position) const {
  Block c{position, sample, generation_, cell_and_purpose_};
  std::uint32_t k0 = key_[0];
  std::uint32_t k1 = key_[1];
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * c[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  return c;
}

float Random::uniform(std::uint32_t sample, std::uint32_t position) const {
  return static_cast<float>(block(sample, position)[0] >> 8) * 0x1p-24f;
}

std::uint32_t Random::below(std::uint32_t n, std::uint32_t sample, std::uint32_t position) const {
  LIPIZZ_ASSERT(n > 0);
  const Block b = block(sample, position);
  const std::uint64_t low = (std::uint64_t{b[1]} * n) >> 32;
  return static_cast<std::uint32_t>((std::uint64_t{b[0]} * n + low) >> 32);
}

float Random::normal(std::uint32_t sample, std::uint32_t position) const {
  const Block b = block(sample, position);
  float x = 0;
  float y = 0;
  box_muller(b[0], b[1], x, y);
  return x;
}

void Random::normals(std::uint32_t first_sample, std::uint32_t n_samples, std::uint32_t width,
                     std::span<float> out) const {
  LIPIZZ_ASSERT(out.size() == std::size_t{n_samples} * width);
  const std::uint32_t blocks_per_sample = (width + 3) / 4;
  const std::uint64_t n_blocks = std::uint64_t{n_samples} * blocks_per_sample;
  std::uint32_t sample[kLanes];
  std::uint32_t position[kLanes];
  float lanes[4 * kLanes];
  for (std::uint64_t first = 0; first < n_blocks; first += kLanes) {
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      sample[i] = first_sample + static_cast<std::uint32_t>((first + i) / blocks_per_sample);
      position[i] = static_cast<std::uint32_t>((first + i) % blocks_per_sample);
    }
    normal_lanes(key_, generation_, cell_and_purpose_, sample, position, lanes);
    for (std::uint32_t i = 0; i < kLanes && first + i < n_blocks; ++i) {
      float* row = out.data() + std::size_t{sample[i] - first_sample} * width;
      const std::uint32_t n = std::min(4U, width - 4 * position[i]);
      std::memcpy(row + 4 * position[i], lanes + 4 * i, n * sizeof(float));
    }
  }
}

void Random::uniforms(std::uint32_t sample, std::span<float> out) const {
  Block words{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i % 4 == 0) words = block(sample, static_cast<std::uint32_t>(i / 4));
    out[i] = static_cast<float>(words[i % 4] >> 8) * 0x1p-24f;
  }
}

std::vector<std::uint32_t> Random::permutation(std::uint32_t n) const {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(i, i)]);
  return order;
}

}  // namespace lipizz
