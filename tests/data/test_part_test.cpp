#include "data/test_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>

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
  }
}

TEST(TestPart, is_the_same_everywhere) {
  const SampleParts parts = with_test_share(12, 0.25);
  EXPECT_EQ(parts.n_train, 9U);
  EXPECT_EQ(parts.order, (std::vector<std::uint32_t>{10, 2, 5, 0, 4, 8, 11, 3, 6, 9, 7, 1}));
}

// Samples below 100 are of one class, the others of another.
TEST(TestPart, the_first_of_both_parts_are_of_all_classes_that_samples_are_sorted_by) {
  const SampleParts parts = with_test_share(200, 0.2);
  for (const std::uint32_t first : {0U, parts.n_train}) {
    const auto some = std::span(parts.order).subspan(first, 20);
    const auto n = std::ranges::count_if(some, [](std::uint32_t place) { return place < 100; });
    EXPECT_GE(n, 5);
    EXPECT_LE(n, 15);
  }
}

TEST(TestPart, shuffles_alike_everywhere) {
  std::vector<std::uint32_t> indices{10, 11, 12, 13, 14};
  shuffle_samples(indices);
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{13, 12, 11, 10, 14}));
}

}  // namespace
}  // namespace lipizz::data::test_part_test
