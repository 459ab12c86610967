#include "coev/sample_diversity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "coev/support.hpp"

namespace lipizz::coev::sample_diversity_test {
namespace {

TEST(SampleDiversity, of_rows_is_the_mean_difference_of_neighbours) {
  NeighbouringRows rows(2);
  rows.add(std::vector<float>{0, 0, 1, 3});
  rows.add(std::vector<float>{1, 1});
  EXPECT_DOUBLE_EQ(rows.mean(), (1 + 3 + 0 + 2) / 4.0);
}

TEST(SampleDiversity, of_one_row_is_none) {
  NeighbouringRows rows(2);
  rows.add(std::vector<float>{5, 5});
  EXPECT_EQ(rows.mean(), 0);
}

class OfGenerators : public ::testing::Test {
 protected:
  OfGenerators() { settings_.model = {testing::affine_network(), {{2}, {{1}}}}; }
  double of(const nn::Buffer<float>& generator) {
    SampleDiversity diversity(testing::host(), settings_, dataset_);
    return diversity.of(generator, 1);
  }
  Settings settings_ = testing::tiny_settings();
  testing::ToyDataset dataset_{testing::kTinySamples};
};

// Two standard normal numbers are 2 / sqrt(pi) apart.
TEST_F(OfGenerators, is_that_of_normal_numbers) {
  settings_.operators.fitness.n_samples = 20'000;
  EXPECT_NEAR(of(testing::affine_generator(1, 0, 0)), 2 / std::sqrt(M_PI), 0.02);
}

TEST_F(OfGenerators, grows_with_the_scale_and_is_none_of_a_collapsed_one) {
  const double once = of(testing::affine_generator(1, 0, 0));
  EXPECT_NEAR(of(testing::affine_generator(2, 5, 0)), 2 * once, 1e-5);
  EXPECT_EQ(of(testing::affine_generator(0, 3, 4)), 0);
}

TEST_F(OfGenerators, of_what_is_not_finite_is_none) {
  EXPECT_FALSE(
      std::isfinite(of(testing::affine_generator(std::numeric_limits<float>::quiet_NaN(), 0, 0))));
}

}  // namespace
}  // namespace lipizz::coev::sample_diversity_test
