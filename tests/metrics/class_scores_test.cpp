#include "metrics/class_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "metrics/made_features.hpp"

namespace lipizz::metrics::class_scores_test {
namespace {

using Shares = std::vector<double>;

const Shares kRising{0.1, 0.2, 0.3, 0.4};
const Shares kFalling{0.4, 0.4, 0.2, 0};  // a missing class

TEST(ClassScores, total_variation_is_half_the_sum_of_differences) {
  EXPECT_NEAR(total_variation(kRising, kFalling), (0.3 + 0.2 + 0.1 + 0.4) / 2, 1e-15);
  EXPECT_EQ(total_variation(kRising, kRising), 0);
  EXPECT_EQ(total_variation(Shares{1, 0}, Shares{0, 1}), 1);
}

TEST(ClassScores, jensen_shannon_is_scipy_s_and_symmetric) {
  EXPECT_NEAR(jensen_shannon(kRising, kFalling), 0.20883940743464036, 1e-15);
  EXPECT_NEAR(jensen_shannon(kFalling, kRising), 0.20883940743464036, 1e-15);
  EXPECT_EQ(jensen_shannon(kRising, kRising), 0);
  EXPECT_NEAR(jensen_shannon(Shares{1, 0}, Shares{0, 1}), std::log(2), 1e-15);
}

TEST(ClassScores, kullback_leibler_is_infinite_where_a_class_is_missing_in_the_second) {
  const double expected =
      0.4 * std::log(0.4 / 0.1) + 0.4 * std::log(0.4 / 0.2) + 0.2 * std::log(0.2 / 0.3);
  EXPECT_NEAR(kullback_leibler(kFalling, kRising), expected, 1e-15);
  EXPECT_EQ(kullback_leibler(kRising, kFalling), std::numeric_limits<double>::infinity());
  EXPECT_EQ(kullback_leibler(kRising, kRising), 0);
}

TEST(ClassScores, of_a_thousand_classes_kl_goes_from_0_to_6_908) {
  Shares uniform(1000, 1e-3);
  EXPECT_NEAR(kullback_leibler_to_uniform(uniform), 0, 1e-15);
  Shares one(1000);
  one[7] = 1;
  EXPECT_NEAR(kullback_leibler_to_uniform(one), 6.907755278982137, 1e-14);
  EXPECT_EQ(n_present(one), 1U);
  EXPECT_EQ(n_present(uniform), 1000U);
}

TEST(ClassScores, inception_score_is_torch_fidelity_s) {
  auto probabilities = testing::made_features(250 * 4, 3, 4);
  softmax_rows(probabilities, 4);
  const Estimate score = inception_score({probabilities, 4});
  EXPECT_NEAR(score.value, 2.3911603418800076, 1e-6);
  EXPECT_GT(score.error, 0.01);
  EXPECT_LT(score.error, 0.2);
}

TEST(ClassScores, inception_score_goes_from_one_to_the_number_of_classes) {
  std::vector<float> same;
  std::vector<float> certain;
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t c = 0; c < 5; ++c) {
      same.push_back(c == 0 ? 1.0f : 0.0f);
      certain.push_back(c == i % 5 ? 1.0f : 0.0f);
    }
  }
  EXPECT_EQ(inception_score({same, 5}).value, 1);
  EXPECT_NEAR(inception_score({certain, 5}).value, 5, 1e-12);
  EXPECT_NEAR(inception_score({certain, 5}).error, 0, 1e-12);
}

TEST(ClassScores, inception_score_of_few_or_bad_rows) {
  std::vector<float> rows{0.5f, 0.5f};
  EXPECT_EQ(inception_score({rows, 2}).value, 1);
  EXPECT_TRUE(std::isnan(inception_score({rows, 2}).error));
  rows[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(inception_score({rows, 2}).value));
}

TEST(ClassScores, softmax_takes_large_logits) {
  std::vector<float> logits{1000, 1000, -1000, 0, 0, 0};
  softmax_rows(logits, 3);
  EXPECT_FLOAT_EQ(logits[0], 0.5f);
  EXPECT_EQ(logits[2], 0);
  EXPECT_FLOAT_EQ(logits[4], 1 / 3.0f);
}

}  // namespace
}  // namespace lipizz::metrics::class_scores_test
