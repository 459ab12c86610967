#include "report/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace lipizz::report::statistics_test {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// By hand: the mean of 2, 4, 9 is 5; squares 9 + 1 + 16 = 26; 26 / 2 = 13; sqrt(13 / 3).
TEST(Statistics, mean_and_standard_error_are_those_of_a_small_case) {
  const Repetitions result = summarize(std::vector{2.0, 4.0, 9.0});
  EXPECT_EQ(result.n, 3);
  EXPECT_EQ(result.n_without, 0);
  EXPECT_DOUBLE_EQ(result.mean, 5);
  EXPECT_DOUBLE_EQ(result.standard_error, std::sqrt(13.0 / 3));
}

TEST(Statistics, equal_figures_have_no_error) {
  EXPECT_EQ(summarize(std::vector{0.1, 0.1}).standard_error, 0);
}

TEST(Statistics, one_figure_has_a_mean_and_no_error) {
  const Repetitions result = summarize(std::vector{7.5});
  EXPECT_EQ(result.n, 1);
  EXPECT_EQ(result.mean, 7.5);
  EXPECT_TRUE(std::isnan(result.standard_error));
}

TEST(Statistics, what_is_not_finite_is_left_out_and_counted) {
  const Repetitions result =
      summarize(std::vector{kNone, 1.0, std::numeric_limits<double>::infinity(), 3.0});
  EXPECT_EQ(result.n, 2);
  EXPECT_EQ(result.n_without, 2);
  EXPECT_EQ(result.mean, 2);
  EXPECT_DOUBLE_EQ(result.standard_error, 1);
}

TEST(Statistics, nothing_has_no_mean) {
  EXPECT_EQ(summarize({}).n, 0);
  EXPECT_TRUE(std::isnan(summarize({}).mean));
  const Repetitions result = summarize(std::vector{kNone});
  EXPECT_EQ(result.n_without, 1);
  EXPECT_TRUE(std::isnan(result.mean));
}

// Squares of sums would lose all digits here.
TEST(Statistics, small_differences_of_large_figures_are_kept) {
  EXPECT_DOUBLE_EQ(summarize(std::vector{1e9, 1e9 + 2}).standard_error, 1);
}

}  // namespace
}  // namespace lipizz::report::statistics_test
