#include "nn/base/shard.hpp"

#include <gtest/gtest.h>

namespace lipizz::nn::shard_test {
namespace {

TEST(Shard, every_element_is_in_one) {
  for (const std::size_t n : {0U, 1U, 1024U, 1025U, 50000U}) {
    for (const std::uint32_t n_ranks : {1U, 2U, 3U, 8U}) {
      std::size_t next = 0;
      for (std::uint32_t rank = 0; rank < n_ranks; ++rank) {
        const Shard shard = shard_of(n, rank, n_ranks);
        EXPECT_EQ(shard.first, next);
        next = shard.end();
        EXPECT_LE(shard.n, (n_shard_blocks(n) / n_ranks + 1) * kShardBlock);
      }
      EXPECT_EQ(next, n);
    }
  }
}

TEST(Shard, begins_with_a_block) {
  for (std::uint32_t rank = 0; rank < 7; ++rank) {
    const Shard shard = shard_of(50000, rank, 7);
    EXPECT_EQ(shard.first % kShardBlock, 0U);
    EXPECT_GT(shard.n, 0U);
  }
  EXPECT_EQ(shard_of(10, 1, 4, 2).first, 2U);
}

// Ends of shards within a range are ends of blocks of what it is a range of.
TEST(Shard, of_a_range_ends_with_a_block) {
  for (const Shard& range : {Shard{500, 300}, {500, 524}, {500, 1000}, {1024, 3000}, {3, 50000}}) {
    for (const std::uint32_t n_ranks : {1U, 2U, 3U, 8U}) {
      std::size_t next = range.first;
      for (std::uint32_t rank = 0; rank < n_ranks; ++rank) {
        const Shard shard = shard_of(range, rank, n_ranks);
        EXPECT_EQ(shard.first, next);
        next = shard.end();
        EXPECT_TRUE(next % kShardBlock == 0 || next == range.first || next == range.end());
        EXPECT_LE(shard.n, (range.n / kShardBlock + 2) / n_ranks * kShardBlock + kShardBlock);
      }
      EXPECT_EQ(next, range.end());
    }
  }
}

TEST(Shard, counts_blocks_that_are_not_full) {
  EXPECT_EQ(n_shard_blocks(0), 0U);
  EXPECT_EQ(n_shard_blocks(1), 1U);
  EXPECT_EQ(n_shard_blocks(kShardBlock), 1U);
  EXPECT_EQ(n_shard_blocks(kShardBlock + 1), 2U);
}

}  // namespace
}  // namespace lipizz::nn::shard_test
