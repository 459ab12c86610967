#include "metrics/image_similarity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "metrics/made_features.hpp"

namespace lipizz::metrics::image_similarity_test {
namespace {

constexpr ImageSize kSize{20, 17, 3};

struct Images {
  std::vector<float> a = testing::made_features(20 * 17 * 3, 4, 0.5f);
  std::vector<float> b = testing::made_features(20 * 17 * 3, 5, 0.125f);
  Images() {
    for (std::size_t i = 0; i < a.size(); ++i) b[i] = a[i] * 0.75f + b[i];
  }
};

TEST(ImageSimilarity, is_scikit_image_s) {
  const Images images;
  EXPECT_NEAR(structural_similarity(images.a, images.b, kSize, 2), 0.747688048696873, 1e-9);
  EXPECT_NEAR(peak_signal_to_noise(images.a, images.b, 2), 23.219868565775048, 1e-9);
  EXPECT_NEAR(mean_absolute_error(images.a, images.b, 2), 0.05599035452686104, 1e-12);
}

TEST(ImageSimilarity, of_equal_images) {
  const Images images;
  EXPECT_EQ(structural_similarity(images.a, images.a, kSize, 2), 1);
  EXPECT_EQ(peak_signal_to_noise(images.a, images.a, 2), std::numeric_limits<double>::infinity());
  EXPECT_EQ(mean_absolute_error(images.a, images.a, 2), 0);
}

TEST(ImageSimilarity, of_black_and_white_has_closed_forms) {
  const std::vector<float> black(11 * 11, 0.0f);
  const std::vector<float> white(11 * 11, 1.0f);
  EXPECT_EQ(mean_absolute_error(black, white, 1), 1);
  EXPECT_NEAR(peak_signal_to_noise(black, white, 1), 0, 1e-12);
  EXPECT_NEAR(structural_similarity(black, white, {11, 11, 1}, 1), 1e-4 / (1 + 1e-4), 1e-12);
}

TEST(ImageSimilarity, of_what_is_not_a_number_is_none) {
  Images images;
  images.b[300] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(structural_similarity(images.a, images.b, kSize, 2)));
  EXPECT_TRUE(std::isnan(peak_signal_to_noise(images.a, images.b, 2)));
  EXPECT_TRUE(std::isnan(mean_absolute_error(images.a, images.b, 2)));
}

}  // namespace
}  // namespace lipizz::metrics::image_similarity_test
