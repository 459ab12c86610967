#include "metrics/kernel_distance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "metrics/made_features.hpp"

namespace lipizz::metrics::kernel_distance_test {
namespace {

using testing::made_features;

double kernel(std::span<const float> a, std::span<const float> b) {
  double product = 0;
  for (std::size_t i = 0; i < a.size(); ++i) product += double{a[i]} * b[i];
  return std::pow(product / double(a.size()) + 1, 3);
}

// The formula, pair by pair.
double plainly(const FeatureRows& x, const FeatureRows& y) {
  const auto m = double(x.size());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (i != j) sum += kernel(x.row(i), x.row(j)) + kernel(y.row(i), y.row(j));
      sum -= 2 * kernel(x.row(i), y.row(j)) * (m - 1) / m;
    }
  }
  return sum / (m * (m - 1));
}

TEST(KernelDistance, is_torch_fidelity_s) {
  const auto real = made_features(300 * 6, 1);
  const auto generated = made_features(250 * 6, 2, 0.75f, 0.125f);
  // The mean of ten blocks of 25 rows each, and its error.
  const Estimate distance = kernel_distance({real, 6}, {generated, 6});
  EXPECT_NEAR(distance.value, 0.11343821090305588, 1e-12);
  EXPECT_NEAR(distance.error, 0.017295396737138976, 1e-12);
}

TEST(KernelDistance, is_the_formula_for_any_number_of_rows_and_values) {
  for (const std::size_t n : {2, 7, 16, 17, 39}) {
    for (const std::size_t d : {1, 5, 64}) {
      const auto x = made_features(n * d, 3);
      const auto y = made_features(n * d, 4, 2);
      const double expected = plainly({x, d}, {y, d});
      EXPECT_NEAR(kernel_distance({x, d}, {y, d}).value, expected, 1e-12 * std::abs(expected))
          << n << " " << d;
    }
  }
}

TEST(KernelDistance, blocks_are_of_at_most_a_thousand_rows_and_ten_where_there_are_enough) {
  EXPECT_EQ(n_kernel_blocks(50'000), 50U);
  EXPECT_EQ(n_kernel_blocks(10'001), 11U);
  EXPECT_EQ(n_kernel_blocks(1000), 10U);
  EXPECT_EQ(n_kernel_blocks(100), 5U);
  EXPECT_EQ(n_kernel_blocks(30), 1U);
}

TEST(KernelDistance, of_blocks_is_their_mean_and_takes_as_many_rows_from_both_sides) {
  const auto x = made_features(90 * 3, 5);
  const auto y = made_features(70 * 3, 6);
  const FeatureRows a{x, 3};
  const FeatureRows b{y, 3};
  std::vector<double> blocks;
  for (const std::size_t begin : {0, 23, 46}) {
    const std::size_t n = begin == 46 ? 24 : 23;
    blocks.push_back(plainly(a.part(begin, n), b.part(begin, n)));
  }
  EXPECT_NEAR(kernel_distance(a, b).value, (blocks[0] + blocks[1] + blocks[2]) / 3, 1e-12);
}

TEST(KernelDistance, of_equal_sets_is_below_zero_as_the_estimate_without_bias_is) {
  const auto x = made_features(30 * 4, 7);
  const Estimate distance = kernel_distance({x, 4}, {x, 4});
  EXPECT_NEAR(distance.value, plainly({x, 4}, {x, 4}), 1e-12);
  EXPECT_LT(distance.value, -0.01);
}

TEST(KernelDistance, of_constant_features_has_a_closed_form) {
  const std::vector<float> x(50 * 2, 1.0f);
  const std::vector<float> y(50 * 2, 3.0f);
  // k(x, x) = 8, k(y, y) = 1000, k(x, y) = 64 for every pair, in every block.
  const Estimate distance = kernel_distance({x, 2}, {y, 2});
  EXPECT_NEAR(distance.value, 8 + 1000 - 2 * 64, 1e-9);
  EXPECT_NEAR(distance.error, 0, 1e-9);
}

TEST(KernelDistance, of_one_row_or_what_is_not_finite_is_not_a_number) {
  auto x = made_features(40 * 4, 8);
  EXPECT_TRUE(std::isnan(kernel_distance({std::span(x).first(4), 4}, {x, 4}).value));
  EXPECT_TRUE(std::isnan(kernel_distance({std::span(x).first(80), 4}, {x, 4}).error))
      << "one block";
  const auto y = x;
  x[50] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(kernel_distance({x, 4}, {y, 4}).value));
  x[50] = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isnan(kernel_distance({y, 4}, {x, 4}).value));
}

}  // namespace
}  // namespace lipizz::metrics::kernel_distance_test
