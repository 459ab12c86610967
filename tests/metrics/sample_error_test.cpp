#include "metrics/sample_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lipizz::metrics::sample_error_test {
namespace {

TEST(SampleError, of_a_mean) {
  const Estimate mean = mean_of_values(std::vector<double>{1, 2, 3, 6});
  EXPECT_EQ(mean.value, 3);
  EXPECT_DOUBLE_EQ(mean.error, std::sqrt((4 + 1 + 0 + 9) / (4.0 * 3)));
  EXPECT_TRUE(std::isnan(mean_of_values(std::vector<double>{1}).error));
}

TEST(SampleError, of_a_share) {
  const Estimate share = share_of(20, 100);
  EXPECT_DOUBLE_EQ(share.value, 0.2);
  EXPECT_DOUBLE_EQ(share.error, 0.04);
  EXPECT_EQ(share_of(100, 100).error, 0);
}

TEST(SampleError, blocks_take_all_rows) {
  std::size_t next = 0;
  for (const RowBlock& block : jackknife_blocks(103)) {
    EXPECT_EQ(block.begin, next);
    EXPECT_TRUE(block.n_rows == 10 || block.n_rows == 11);
    next += block.n_rows;
  }
  EXPECT_EQ(next, 103U);
  EXPECT_EQ(jackknife_blocks(103).size(), 10U);
  EXPECT_EQ(jackknife_blocks(4).size(), 4U);
}

TEST(SampleError, the_jackknife_of_a_mean_is_the_mean_s_error) {
  const std::vector<double> values{1, 2, 3, 6};
  std::vector<double> without;
  std::vector<Statistics> blocks;
  for (const double value : values) {
    without.push_back((12 - value) / 3);
    blocks.push_back({{value}, 1});
  }
  EXPECT_DOUBLE_EQ(jackknife_error(without), mean_of_values(values).error);
  const auto figure = [](const Statistics& s) { return s.values[0]; };
  EXPECT_DOUBLE_EQ(jackknife_error_of(blocks, figure), mean_of_values(values).error);
  EXPECT_TRUE(std::isnan(jackknife_error(std::vector<double>{1})));
}

}  // namespace
}  // namespace lipizz::metrics::sample_error_test
