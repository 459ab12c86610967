#include "metrics/feature_scores.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

#include "metrics/made_features.hpp"

namespace lipizz::metrics::feature_scores_test {
namespace {

using testing::made_features;

TEST(FeatureScores, frechet_is_torch_fidelity_s) {
  const auto real = made_features(300 * 6, 1);
  const auto generated = made_features(250 * 6, 2, 0.75f, 0.125f);
  const Estimate distance = frechet_distance({real, 6}, {generated, 6});
  EXPECT_NEAR(distance.value, 0.4255802188066804, 1e-6);
  EXPECT_GT(distance.error, 0.01);
  EXPECT_LT(distance.error, 0.2);
}

TEST(FeatureScores, frechet_with_fewer_samples_than_dimensions_is_torch_fidelity_s) {
  const auto real = made_features(12 * 20, 6);
  const auto generated = made_features(15 * 20, 7);
  EXPECT_NEAR(frechet_distance({real, 20}, {generated, 20}).value, 12.531297821060402, 1e-6);
}

TEST(FeatureScores, frechet_of_equal_sets_is_zero_up_to_round_off) {
  const auto rows = made_features(100 * 32, 8);
  EXPECT_NEAR(frechet_distance({rows, 32}, {rows, 32}).value, 0, 1e-10);
  const auto few = made_features(10 * 32, 8);  // singular
  EXPECT_NEAR(frechet_distance({few, 32}, {few, 32}).value, 0, 1e-6);
}

TEST(FeatureScores, frechet_of_constant_features_is_the_distance_of_means) {
  const std::vector<float> real(20 * 2, 1.0f);
  const std::vector<float> generated(30 * 2, 4.0f);
  const Estimate distance = frechet_distance({real, 2}, {generated, 2});
  EXPECT_NEAR(distance.value, 18, 1e-13);
  EXPECT_NEAR(distance.error, 0, 1e-13);
}

TEST(FeatureScores, frechet_does_not_mind_where_zero_is) {
  auto real = made_features(200 * 3, 9);
  auto generated = made_features(200 * 3, 10, 1.5f);
  const double distance = frechet_distance({real, 3}, {generated, 3}).value;
  for (float& value : real) value += 1024;  // whose last bits are lost
  for (float& value : generated) value += 1024;
  EXPECT_NEAR(frechet_distance({real, 3}, {generated, 3}).value, distance, 1e-4 * distance);
}

// The error of means: with d constant but one, the distance is near (m1 - m2)^2 + (s1 - s2)^2.
TEST(FeatureScores, frechet_s_error_is_how_far_repetitions_lie_apart) {
  const auto real = made_features(5000 * 2, 11);
  std::vector<double> values;
  double error = 0;
  for (std::uint32_t seed = 100; seed < 140; ++seed) {
    const auto generated = made_features(400 * 2, seed, 1, 0.5f);
    const Estimate distance = frechet_distance({real, 2}, {generated, 2});
    values.push_back(distance.value);
    error += distance.error / 40;
  }
  double mean = 0;
  double squares = 0;
  for (const double value : values) mean += value / 40;
  for (const double value : values) squares += (value - mean) * (value - mean) / 39;
  EXPECT_NEAR(error / std::sqrt(squares), 1, 0.35);
}

TEST(FeatureScores, frechet_of_what_is_not_finite_is_not_a_number) {
  auto rows = made_features(20 * 2, 12);
  const auto other = rows;
  rows[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(frechet_distance({rows, 2}, {other, 2}).value));
  EXPECT_TRUE(std::isnan(frechet_distance({other, 2}, {rows, 2}).value));
}

TEST(FeatureScores, all_have_names_errors_and_a_direction) {
  const auto real = made_features(300 * 6, 1);
  const auto generated = made_features(250 * 6, 2);
  std::vector<std::string> lower;
  std::vector<std::string> higher;
  for (const Figure& figure : score_features({real, 6}, {generated, 6})) {
    (figure.better == Figure::Better::kLower ? lower : higher).push_back(figure.name);
    EXPECT_GE(figure.error, 0) << figure.name;
    EXPECT_TRUE(std::isnan(figure.floor));
  }
  EXPECT_THAT(lower, ::testing::ElementsAre("frechet", "kernel"));
  EXPECT_THAT(higher, ::testing::ElementsAre("precision", "recall", "density", "coverage"));
}

}  // namespace
}  // namespace lipizz::metrics::feature_scores_test
