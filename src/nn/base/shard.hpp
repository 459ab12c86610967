#pragma once

#include <cstddef>
#include <cstdint>

namespace lipizz::nn {

/// Ranks that compute a step together may share out the state of a network in training (Rajbhandari
/// et al. 2020, "ZeRO: memory optimizations toward training trillion parameter models"); each stage
/// includes those before it.
enum class ZeroStage {
  kNothing,
  kMoments,     // and the update; gradients travel as in stage 2, but a rank has all of its own
  kGradients,   // sums of gradients, which are added up as they come
  kParameters,  // each is gathered where it is read
};

/// The elements of a buffer that one of several ranks keeps: of moments, of sums of gradients, of
/// parameters.
struct Shard {
  std::size_t first = 0;
  std::size_t n = 0;

  [[nodiscard]] constexpr std::size_t end() const { return first + n; }
};

/// Elements are dealt out in whole blocks of so many, so that what is added up block after block
/// does not depend on the number of ranks.
inline constexpr std::size_t kShardBlock = 1024;

/// The elements that lie in both.
constexpr Shard intersection(const Shard& a, const Shard& b) {
  const std::size_t first = a.first > b.first ? a.first : b.first;
  const std::size_t end = a.end() < b.end() ? a.end() : b.end();
  return {first, end > first ? end - first : 0};
}

constexpr std::size_t n_shard_blocks(std::size_t n) {
  return (n + kShardBlock - 1) / kShardBlock;
}

/// Shares of n elements, in the order of ranks, as equal as whole blocks can be. One of a rank
/// without any is empty.
constexpr Shard shard_of(std::size_t n, std::uint32_t rank, std::uint32_t n_ranks,
                         std::size_t block = kShardBlock) {
  const std::size_t n_blocks = (n + block - 1) / block;
  const auto end = [&](std::uint32_t ranks) {
    const std::size_t at = n_blocks * ranks / n_ranks * block;
    return at < n ? at : n;
  };
  return {end(rank), end(rank + 1) - end(rank)};
}

}  // namespace lipizz::nn
