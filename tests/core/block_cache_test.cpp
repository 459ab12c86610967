#include "core/block_cache.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/out_of_memory.hpp"
#include "support/smaps.hpp"

namespace lipizz::block_cache_test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

TEST(BlockCache, takes_the_newest_block_of_the_same_size_again) {
  BlockCache cache({.most_bytes = 8 * kMiB, .slack_bytes = 8 * kMiB});
  void* const one = cache.allocate(kMiB);
  void* const two = cache.allocate(kMiB);
  void* const other = cache.allocate(2 * kMiB);
  for (void* const block : {one, two}) cache.free(block, kMiB);
  cache.free(other, 2 * kMiB);
  EXPECT_EQ(cache.kept_bytes(), 4 * kMiB);
  EXPECT_EQ(cache.allocate(kMiB), two);
  EXPECT_EQ(cache.allocate(kMiB - 1), one) << "sizes are rounded up";
  EXPECT_EQ(cache.allocate(2 * kMiB), other);
  EXPECT_EQ(cache.kept_bytes(), 0U);
  for (void* const block : {one, two}) cache.free(block, kMiB);
  cache.free(other, 2 * kMiB);
}

TEST(BlockCache, blocks_are_writable_to_their_ends_and_aligned) {
  BlockCache cache({.most_bytes = 8 * kMiB, .slack_bytes = 0});
  for (const std::size_t n : {std::size_t{1}, kMiB - 1, kMiB + 1}) {
    void* const block = cache.allocate(n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % kCacheLine, 0U);
    std::memset(block, 1, n);
    cache.free(block, n);
  }
}

TEST(BlockCache, asks_for_huge_pages_where_a_block_has_room_for_one) {
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) {
    GTEST_SKIP() << "no huge pages here";
  }
  BlockCache cache({.most_bytes = 8 * kMiB, .slack_bytes = 0});
  for (const auto& [n, has_room] : {std::pair(4 * kMiB, true), std::pair(3 * kMiB, false)}) {
    void* const block = cache.allocate(n);
    const std::string flags = testing::smaps_field(block, "VmFlags");
    EXPECT_EQ(flags.find(" hg ") != std::string::npos, has_room) << flags;
    cache.free(block, n);
  }
}

TEST(BlockCache, keeps_no_more_than_it_may_and_gives_the_oldest_back) {
  BlockCache cache({.most_bytes = 2 * kMiB, .slack_bytes = 8 * kMiB});
  std::vector<void*> blocks;
  for (int i = 0; i < 3; ++i) blocks.push_back(cache.allocate(kMiB));
  for (void* const block : blocks) cache.free(block, kMiB);
  EXPECT_EQ(cache.kept_bytes(), 2 * kMiB);
  EXPECT_EQ(cache.allocate(kMiB), blocks[2]);
  EXPECT_EQ(cache.allocate(kMiB), blocks[1]);
  EXPECT_EQ(cache.kept_bytes(), 0U);
  for (const int i : {1, 2}) cache.free(blocks[i], kMiB);
}

TEST(BlockCache, a_block_larger_than_what_it_may_keep_is_not_kept) {
  BlockCache cache({.most_bytes = kMiB, .slack_bytes = 0});
  cache.free(cache.allocate(kMiB + 1), kMiB + 1);
  EXPECT_EQ(cache.kept_bytes(), 0U);
}

TEST(BlockCache, gives_as_much_back_as_it_maps_anew_but_for_the_slack) {
  BlockCache cache({.most_bytes = 16 * kMiB, .slack_bytes = 2 * kMiB});
  std::vector<void*> blocks;
  for (int i = 0; i < 6; ++i) blocks.push_back(cache.allocate(kMiB));
  for (void* const block : blocks) cache.free(block, kMiB);
  ASSERT_EQ(cache.kept_bytes(), 6 * kMiB);
  void* const three = cache.allocate(3 * kMiB);
  EXPECT_EQ(cache.kept_bytes(), 3 * kMiB);
  void* const more = cache.allocate(4 * kMiB);
  EXPECT_EQ(cache.kept_bytes(), 2 * kMiB) << "the slack stays";
  cache.free(three, 3 * kMiB);
  cache.free(more, 4 * kMiB);
}

TEST(BlockCache, what_does_not_fit_into_memory_is_refused_and_nothing_is_lost) {
  BlockCache cache({.most_bytes = 8 * kMiB, .slack_bytes = 8 * kMiB});
  cache.free(cache.allocate(kMiB), kMiB);
  EXPECT_THROW(static_cast<void>(cache.allocate(SIZE_MAX / 2)), OutOfMemory);
  EXPECT_THROW(static_cast<void>(cache.allocate(SIZE_MAX)), OutOfMemory);
  void* const block = cache.allocate(kMiB);
  std::memset(block, 1, kMiB);
  cache.free(block, kMiB);
}

TEST(BlockCache, threads_never_hold_the_same_block) {
  BlockCache cache({.most_bytes = 4 * kMiB, .slack_bytes = kMiB});
  const auto work = [&](unsigned char mark) {
    for (std::size_t i = 0; i < 500; ++i) {
      const std::size_t n = (1 + i % 3) << 17;
      auto* const block = static_cast<unsigned char*>(cache.allocate(n));
      block[0] = block[n - 1] = mark;
      std::this_thread::yield();
      EXPECT_EQ(block[0], mark);
      EXPECT_EQ(block[n - 1], mark);
      cache.free(block, n);
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  EXPECT_LE(cache.kept_bytes(), 4 * kMiB);
}

TEST(AlignedMemory, is_aligned_to_a_cache_line_however_large) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{4000}, 3 * kMiB}) {
    void* const memory = allocate_aligned(n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % kCacheLine, 0U) << n;
    std::memset(memory, 1, n);
    free_aligned(memory, n);
  }
}

}  // namespace
}  // namespace lipizz::block_cache_test
