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

inline void encrypt(std::uint32_t k0, std::uint32_t k1, Lanes& c) {
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

// The blocks at these positions of these samples.
inline Lanes blocks(const philox::Stream& stream, const std::uint32_t* sample,
                    const std::uint32_t* position) {
  Lanes c;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    c.word[0][i] = position[i];
    c.word[1][i] = sample[i];
    c.word[2][i] = stream.generation;
    c.word[3][i] = stream.cell_and_purpose;
  }
  encrypt(stream.key[0], stream.key[1], c);
  return c;
}

// Uniform in [0, n), from the first two words of a block.
constexpr std::uint32_t scaled(std::uint32_t first, std::uint32_t second, std::uint32_t n) {
  const std::uint64_t low = (std::uint64_t{second} * n) >> 32;
  return static_cast<std::uint32_t>((std::uint64_t{first} * n + low) >> 32);
}

// Random::below(n, n) of n, n - 1 and so on; out: [kLanes].
LIPIZZ_MULTIVERSION
void below_lanes(const philox::Stream& stream, std::uint32_t n, std::uint32_t* out) {
  std::uint32_t sample[kLanes];
  constexpr std::uint32_t kFirst[kLanes] = {};
  for (std::uint32_t i = 0; i < kLanes; ++i) sample[i] = n - i;
  const Lanes c = blocks(stream, sample, kFirst);
  for (std::uint32_t i = 0; i < kLanes; ++i) out[i] = scaled(c.word[0][i], c.word[1][i], sample[i]);
}

// Normals for blocks [first_block, first_block + kLanes) of a stream of samples, each
// `blocks_per_sample` long; out: [kLanes, 4].
LIPIZZ_MULTIVERSION
void normal_lanes(const philox::Stream& stream, const std::uint32_t* sample,
                  const std::uint32_t* position, float* out) {
  const Lanes c = blocks(stream, sample, position);
  float n[4][kLanes];
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const philox::Normals two = philox::normals(c.word[0][i], c.word[1][i]);
    n[0][i] = two.x;
    n[1][i] = two.y;
  }
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const philox::Normals two = philox::normals(c.word[2][i], c.word[3][i]);
    n[2][i] = two.x;
    n[3][i] = two.y;
  }
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    for (std::uint32_t j = 0; j < 4; ++j) out[4 * i + j] = n[j][i];
  }
}

}  // namespace

Random::Random(std::uint64_t seed, Purpose purpose, CellId cell, Generation generation)
    : stream_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
              generation,
              cell.value << 8 | static_cast<std::uint32_t>(purpose)} {
  LIPIZZ_ASSERT(cell.value < (1U << 24));
}

Random::Block Random::block(std::uint32_t sample, std::uint32_t position) const {
  return philox::block(stream_, sample, position);
}

float Random::uniform(std::uint32_t sample, std::uint32_t position) const {
  return philox::uniform(block(sample, position)[0]);
}

std::uint32_t Random::below(std::uint32_t n, std::uint32_t sample, std::uint32_t position) const {
  LIPIZZ_ASSERT(n > 0);
  const Block b = block(sample, position);
  return scaled(b[0], b[1], n);
}

float Random::normal(std::uint32_t sample, std::uint32_t position) const {
  const Block b = block(sample, position);
  return philox::normals(b[0], b[1]).x;
}

void Random::normals(std::uint32_t first_sample, std::uint32_t n_samples, std::uint32_t width,
                     std::span<float> out) const {
  LIPIZZ_ASSERT(out.size() == std::size_t{n_samples} * width);
  const std::uint32_t blocks_per_sample = (width + 3) / 4;
  const std::uint64_t n_blocks = std::uint64_t{n_samples} * blocks_per_sample;
  std::uint32_t sample[kLanes];
  std::uint32_t position[kLanes];
  float lanes[4 * kLanes];
  std::uint32_t next_sample = first_sample;
  std::uint32_t next_position = 0;
  for (std::uint64_t first = 0; first < n_blocks; first += kLanes) {
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      sample[i] = next_sample;
      position[i] = next_position;
      if (++next_position < blocks_per_sample) continue;
      next_position = 0;
      ++next_sample;
    }
    if (width % 4 == 0 && first + kLanes <= n_blocks) {
      normal_lanes(stream_, sample, position, out.data() + 4 * first);
      continue;
    }
    normal_lanes(stream_, sample, position, lanes);
    for (std::uint32_t i = 0; i < kLanes && first + i < n_blocks; ++i) {
      float* row = out.data() + std::size_t{sample[i] - first_sample} * width;
      const std::uint32_t n = std::min(4U, width - 4 * position[i]);
      std::memcpy(row + 4 * position[i], lanes + 4 * i, n * sizeof(float));
    }
  }
}

void Random::uniforms(std::uint32_t sample, std::span<float> out, std::size_t first) const {
  Block words{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t number = first + i;
    if (i == 0 || number % 4 == 0) words = block(sample, static_cast<std::uint32_t>(number / 4));
    out[i] = philox::uniform(words[number % 4]);
  }
}

std::vector<std::uint32_t> Random::permutation(std::uint32_t n) const {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::uint32_t i = n;
  for (std::uint32_t other[kLanes]; i > kLanes; i -= kLanes) {
    below_lanes(stream_, i, other);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      std::swap(order[i - lane - 1], order[other[lane]]);
    }
  }
  for (; i > 1; --i) std::swap(order[i - 1], order[below(i, i)]);
  return order;
}

}  // namespace lipizz
