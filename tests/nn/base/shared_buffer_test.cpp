#include "nn/base/shared_buffer.hpp"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

namespace lipizz::nn::shared_buffer_test {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

TEST(SharedBuffer, is_aligned_and_zero_when_made) {
  const SharedBuffer<float> buffer(5);
  EXPECT_THAT(buffer, ElementsAreArray(std::vector<float>(5)));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % kAlignment, 0U);
}

TEST(SharedBuffer, without_elements_is_an_empty_range) {
  SharedBuffer<float> buffer(Buffer<float>{});
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.begin(), buffer.end());
  EXPECT_TRUE(buffer.writable().empty());
  EXPECT_EQ(buffer, SharedBuffer<float>());
}

TEST(SharedBuffer, copies_share_memory_until_one_is_written) {
  SharedBuffer<int> first(Buffer<int>{1, 2});
  SharedBuffer<int> second = first;
  EXPECT_EQ(second.data(), first.data());
  second.writable()[0] = 7;
  EXPECT_NE(second.data(), first.data());
  EXPECT_THAT(first, ElementsAre(1, 2));
  EXPECT_THAT(second, ElementsAre(7, 2));
}

TEST(SharedBuffer, that_nobody_shares_is_written_where_it_is) {
  SharedBuffer<int> first(Buffer<int>{1, 2});
  const int* const place = first.data();
  { const SharedBuffer<int> second = first; }
  EXPECT_EQ(first.writable().data(), place);
  const SharedBuffer<int> third = std::move(first);
  EXPECT_EQ(third.data(), place);
}

TEST(SharedBuffer, reset_keeps_memory_of_its_own_alone) {
  SharedBuffer<int> first(Buffer<int>{1, 2});
  const int* const place = first.data();
  first.reset(2);
  EXPECT_EQ(first.data(), place);
  const SharedBuffer<int> second = first;
  first.reset(2);
  EXPECT_NE(first.data(), place);
  EXPECT_THAT(second, ElementsAre(1, 2));
  first.reset(3);
  EXPECT_EQ(first.size(), 3U);
  first.reset(0);
  EXPECT_TRUE(first.empty());
}

TEST(SharedBuffer, is_equal_by_its_elements) {
  const SharedBuffer<int> buffer(Buffer<int>{1, 2});
  EXPECT_EQ(buffer, SharedBuffer<int>(Buffer<int>{1, 2}));
  EXPECT_NE(buffer, SharedBuffer<int>(Buffer<int>{1, 3}));
  EXPECT_NE(buffer, SharedBuffer<int>(Buffer<int>{1}));
}

TEST(SharedBuffer, elements_are_writable_where_the_buffer_is_not_const) {
  SharedBuffer<int> buffer(2);
  elements(buffer)[1] = 5;
  EXPECT_EQ(elements(std::as_const(buffer))[1], 5);
  static_assert(std::is_same_v<decltype(elements(std::as_const(buffer))), std::span<const int>>);
}

// For the thread sanitizer: who writes has a copy that no other thread looks at any more.
TEST(SharedBuffer, copies_can_be_used_by_several_threads) {
  SharedBuffer<int> buffer(64);
  for (int round = 1; round <= 100; ++round) {
    std::jthread reader([copy = buffer, round] {
      for (const int value : copy) EXPECT_EQ(value, round - 1);
    });
    std::ranges::fill(buffer.writable(), round);
  }
}

}  // namespace
}  // namespace lipizz::nn::shared_buffer_test
