#include "metrics/fourier_features.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "data/dataset.hpp"
#include "metrics/feature_sums.hpp"
#include "metrics/frechet.hpp"
#include "metrics/frechet_scorer.hpp"
#include "metrics/support.hpp"

namespace lipizz::metrics::fourier_features_test {
namespace {

const data::Dataset& ring() {
  static const std::shared_ptr<const data::Dataset> dataset = data::open_dataset("ring8", {});
  return *dataset;
}

TEST(FourierFeatures, are_cosines_and_sines) {
  FourierFeatures features(ring());
  EXPECT_EQ(features.n_values(), 64U);
  EXPECT_EQ(features.n_classes(), 0U);
  const std::vector<float> points = testing::normals(2 * 50, 1);
  std::vector<float> out(50 * 65);
  features.compute(points, out);
  for (std::size_t row = 0; row < 50; ++row) {
    for (std::size_t k = 0; k < 32; ++k) {
      const float cos = out[row * 65 + 2 * k];
      const float sin = out[row * 65 + 2 * k + 1];
      EXPECT_NEAR(cos * cos + sin * sin, 1, 1e-5);
    }
    EXPECT_EQ(out[row * 65 + 64], 0);
  }
}

// The ring's values have mean 0 and deviation 1 / sqrt(2): the mean of cos(w.z) of standard
// normals is exp(-|w|^2 / 2), so moments alone do not make a ring.
TEST(FourierFeatures, tell_a_ring_from_a_normal_of_its_moments) {
  const std::unique_ptr<Scorer> scorer = make_fourier_scorer(ring());
  const auto score = [&](std::span<const float> points) {
    std::vector<float> features(points.size() / 2 * scorer->n_features());
    scorer->features(points, features);
    return scorer->score(scorer->statistics(features)).value;
  };
  std::vector<float> normals = testing::normals(2 * 2'000, 2);
  for (float& value : normals) value *= std::sqrt(0.5f);
  EXPECT_GT(score(normals), 100 * scorer->floor(2'000).value);
  normals.front() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(score(normals)));
}

}  // namespace
}  // namespace lipizz::metrics::fourier_features_test
