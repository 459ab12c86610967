#include "report/score_scale.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace lipizz::report::score_scale_test {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(ScoreScale, is_logarithmic_from_the_best_to_the_worst) {
  const ScoreScale scale({100, kUnknown, 1, 10, kInfinite});
  EXPECT_EQ(scale.best(), 1);
  EXPECT_EQ(scale.worst(), 100);
  EXPECT_EQ(scale.goodness(1), 1);
  EXPECT_DOUBLE_EQ(scale.goodness(10).value(), 0.5);
  EXPECT_EQ(scale.goodness(100), 0);
  EXPECT_FALSE(scale.goodness(kUnknown));
}

TEST(ScoreScale, is_linear_where_a_score_is_not_above_zero) {
  const ScoreScale scale({0, 4});
  EXPECT_EQ(scale.goodness(1), 0.75);
}

TEST(ScoreScale, scores_that_hardly_differ_look_alike) {
  const ScoreScale scale({50, 50.5});
  EXPECT_GT(scale.goodness(50.5).value(), 0.9);
  EXPECT_EQ(ScoreScale({3, 3}).goodness(3), 1);
  EXPECT_EQ(ScoreScale({0, 0}).goodness(0), 1);
}

TEST(ScoreScale, knows_when_there_is_no_score) {
  EXPECT_FALSE(ScoreScale({kUnknown}).has_scores());
  EXPECT_FALSE(ScoreScale(std::vector<double>()).has_scores());
}

TEST(ScoreScale, better_is_brighter) {
  double before = -1;
  for (int i = 0; i <= 11; ++i) {
    const Colour colour = colour_of(i / 11.0);
    const double luminance = 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue;
    EXPECT_GT(luminance, before);
    before = luminance;
  }
  EXPECT_EQ(colour_of(7), colour_of(1));
  EXPECT_EQ(std::string({character_of(0), character_of(0.5), character_of(1)}), ".+@");
}

}  // namespace
}  // namespace lipizz::report::score_scale_test
