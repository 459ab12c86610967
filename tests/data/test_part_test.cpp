#include "data/test_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace lipizz::data::test_part_test {
namespace {

TEST(TestPart, both_parts_have_some_and_share_none) {
  for (const auto& [n, share, n_test] :
       std::vector<std::tuple<std::uint32_t, double, std::uint32_t>>{
           {100, 0.1, 10}, {2, 0.1, 1}, {2, 0.9, 1}, {10, 1e-6, 1}, {1'000, 0.25, 250}}) {
    const SampleParts parts = with_test_share(n, share);
    EXPECT_EQ(n - parts.n_train, n_test);
    std::vector<std::uint32_t> all = parts.order;
    std::ranges::sort(all);
    std::vector<std::uint32_t> expected(n);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(all, expected);
    EXPECT_TRUE(std::is_sorted(parts.order.begin(), parts.order.begin() + parts.n_train));
  }
}

TEST(TestPart, is_the_same_everywhere) {
  const SampleParts parts = with_test_share(12, 0.25);
  EXPECT_EQ(std::vector(parts.order.begin() + 9, parts.order.end()),
            (std::vector<std::uint32_t>{1, 7, 9}));
}

TEST(TestPart, shuffles_alike_everywhere) {
  std::vector<std::uint32_t> indices{10, 11, 12, 13, 14};
  shuffle_samples(indices);
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{13, 12, 11, 10, 14}));
}

}  // namespace
}  // namespace lipizz::data::test_part_test
