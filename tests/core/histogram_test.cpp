#include "core/histogram.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

namespace lipizz::histogram_test {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

std::uint32_t total(const Histogram& histogram) {
  return std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0U);
}

TEST(Histogram, buckets_have_equal_width_and_the_largest_value_is_in_the_last) {
  std::vector<float> values(301);
  std::iota(values.begin(), values.end(), -100.0F);  // -100 ... 200, ten to a bucket
  const Histogram histogram = histogram_of(values);
  EXPECT_EQ(histogram.min, -100);
  EXPECT_EQ(histogram.max, 200);
  EXPECT_EQ(histogram.sum, 301 * 50);
  EXPECT_EQ(histogram.sum_squares, 100.0 * 101 * 201 / 6 + 200.0 * 201 * 401 / 6);
  ASSERT_EQ(histogram.counts.size(), Histogram::kBuckets);
  EXPECT_EQ(histogram.counts.front(), 10);
  EXPECT_EQ(histogram.counts.back(), 11);
  EXPECT_EQ(total(histogram), 301);
}

TEST(Histogram, equal_values_are_in_one_bucket) {
  const Histogram histogram = histogram_of(std::vector{2.5, 2.5});
  EXPECT_EQ(histogram.min, histogram.max);
  EXPECT_EQ(histogram.counts[0], 2);
  EXPECT_EQ(total(histogram), 2);
}

TEST(Histogram, what_is_not_finite_does_not_count) {
  const Histogram histogram = histogram_of(std::vector{kNone, 1.0F, kInfinite, 3.0F, -kInfinite});
  EXPECT_EQ(histogram.min, 1);
  EXPECT_EQ(histogram.max, 3);
  EXPECT_EQ(histogram.sum, 4);
  EXPECT_EQ(total(histogram), 2);
  EXPECT_EQ(histogram_of(std::vector{kNone}), Histogram());
  EXPECT_EQ(histogram_of(std::span<const float>()), Histogram());
}

TEST(Histogram, the_widest_range_of_doubles_is_one) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const Histogram histogram = histogram_of(std::vector{-kMost, 0.0, kMost});
  EXPECT_EQ(histogram.counts.front(), 1);
  EXPECT_EQ(histogram.counts[Histogram::kBuckets / 2], 1);
  EXPECT_EQ(histogram.counts.back(), 1);
}

}  // namespace
}  // namespace lipizz::histogram_test
