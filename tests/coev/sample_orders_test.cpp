#include "coev/sample_orders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "core/random.hpp"

namespace lipizz::coev::sample_orders_test {
namespace {

using ::testing::ElementsAreArray;

constexpr std::uint64_t kSeed = 3;
constexpr std::uint32_t kSamples = 50;

std::vector<std::uint32_t> copied(std::span<const std::uint32_t> order) {
  return {order.begin(), order.end()};
}

TEST(SampleOrders, of_a_pass_have_every_sample_once) {
  SampleOrders orders(kSeed, kSamples, 1);
  EXPECT_EQ(orders.n_samples(), kSamples);
  std::vector<std::uint32_t> order = copied(orders.of({2}, 4));
  EXPECT_THAT(order,
              ElementsAreArray(Random(kSeed, Purpose::kShuffle, {2}, 4).permutation(kSamples)));
  std::ranges::sort(order);
  std::vector<std::uint32_t> all(kSamples);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(order, all);
}

// Whatever was asked for before, of this cell and of others.
TEST(SampleOrders, are_those_of_the_cell_and_the_pass_alone) {
  SampleOrders orders(kSeed, kSamples, 0.5);
  std::set<std::vector<std::uint32_t>> different;
  for (const std::uint32_t pass : {1U, 2U, 1U, 3U}) {
    for (const CellId cell : {CellId{0}, CellId{7}, CellId{0}}) {
      const std::vector<std::uint32_t> order = copied(orders.of(cell, pass));
      EXPECT_EQ(order, copied(SampleOrders(kSeed, kSamples, 0.5).of(cell, pass)));
      different.insert(order);
    }
  }
  EXPECT_EQ(different.size(), 6U);
}

TEST(SampleOrders, are_kept_until_another_pass_is_asked_for) {
  SampleOrders orders(kSeed, kSamples, 1);
  const std::span<const std::uint32_t> first = orders.of({0}, 1);
  orders.of({1}, 5);
  EXPECT_EQ(orders.of({0}, 1).data(), first.data());
}

TEST(SampleOrders, of_a_share_are_of_the_same_samples_in_every_pass) {
  SampleOrders orders(kSeed, kSamples, 0.25);
  ASSERT_EQ(orders.n_samples(), 12U);
  const auto samples = [&](CellId cell, std::uint32_t pass) {
    const std::vector<std::uint32_t> order = copied(orders.of(cell, pass));
    return std::set(order.begin(), order.end());
  };
  EXPECT_EQ(samples({0}, 1).size(), 12U);
  EXPECT_EQ(samples({0}, 1), samples({0}, 2));
  EXPECT_NE(samples({0}, 1), samples({1}, 1));
}

TEST(SampleOrders, take_four_bytes_a_sample_and_cell) {
  EXPECT_EQ(SampleOrders::bytes(60'000, 3), 720'000U);
}

}  // namespace
}  // namespace lipizz::coev::sample_orders_test
