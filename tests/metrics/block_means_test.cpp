#include "metrics/block_means.hpp"

#include <gmock/gmock.h>

#include <array>

#include "metrics/support.hpp"

namespace lipizz::metrics::block_means_test {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;

TEST(BlockMeans, are_as_many_as_fit_below_the_bound) {
  EXPECT_EQ(BlockMeans({256, 256, 6}).n_values(), 4U * 4 * 6);
  EXPECT_EQ(BlockMeans({32, 32, 3}).n_values(), 5U * 5 * 3);
  EXPECT_EQ(BlockMeans({32, 32, 2}).n_values(), 6U * 6 * 2);
  EXPECT_EQ(BlockMeans({28, 28, 1}).n_values(), 9U * 9);
  EXPECT_EQ(BlockMeans({3, 7, 1}).n_values(), 3U * 3) << "no block is empty";
  EXPECT_EQ(BlockMeans({28, 28, 1}).n_classes(), 0U);
}

TEST(BlockMeans, are_the_means_of_each_channel) {
  // 2x4 pixels of 2 channels make 2x2 blocks of 1x2.
  BlockMeans means({2, 4, 2});
  const std::vector<float> samples{1, 10, 3, 30, 5, 50, 9, 90, -1, 0, -1, 2, 0, 4, 2, 8};
  std::vector<float> out(9);
  means.compute(samples, out);
  EXPECT_THAT(out, ElementsAre(2, 20, 7, 70, -1, 1, 1, 6, 0));
}

TEST(BlockMeans, blocks_that_do_not_divide_the_image_cover_it_all) {
  // 3x3 blocks of 11 channels would be 99 values.
  BlockMeans means({5, 5, 11});
  ASSERT_EQ(means.n_values(), 2U * 2 * 11);
  const std::vector<float> samples = testing::normals(std::size_t{5} * 5 * 11, 1);
  std::vector<float> out(45);
  means.compute(samples, out);
  // Blocks of 3 and 2 rows and columns.
  constexpr std::array kPixels{9, 6, 6, 4};
  for (std::size_t c = 0; c < 11; ++c) {
    double of_image = 0;
    for (std::size_t i = c; i < samples.size(); i += 11) of_image += samples[i];
    double of_blocks = 0;
    for (std::size_t b = 0; b < 4; ++b) of_blocks += kPixels[b] * out[b * 11 + c];
    EXPECT_THAT(static_cast<float>(of_blocks), FloatNear(static_cast<float>(of_image), 1e-5f));
  }
}

}  // namespace
}  // namespace lipizz::metrics::block_means_test
