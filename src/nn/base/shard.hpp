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

/// A range that ranks share out, and what this one has of it.
struct SharedRange {
  Shard all;
  Shard own;
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

/// Shares of a range of elements, in the order of ranks, as equal as whole blocks can be. They end
/// where blocks of the buffer do, of which the range may begin and end within one. One of a rank
/// without any is empty.
constexpr Shard shard_of(const Shard& range, std::uint32_t rank, std::uint32_t n_ranks,
                         std::size_t block = kShardBlock) {
  const std::size_t first_block = range.first / block;
  const std::size_t n_blocks = (range.end() + block - 1) / block - first_block;
  const auto end = [&](std::uint32_t ranks) {
    return (first_block + n_blocks * ranks / n_ranks) * block;
  };
  return intersection({end(rank), end(rank + 1) - end(rank)}, range);
}
/// Those of n elements.
constexpr Shard shard_of(std::size_t n, std::uint32_t rank, std::uint32_t n_ranks,
                         std::size_t block = kShardBlock) {
  return shard_of(Shard{0, n}, rank, n_ranks, block);
}

}  // namespace lipizz::nn
