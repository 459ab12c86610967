#include "coev/novelty.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace lipizz::coev::novelty_test {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Novelty, distance_is_twice_the_total_variation) {
  EXPECT_DOUBLE_EQ(behaviour_distance({0.5, 0.5, 0}, {0.25, 0.25, 0.5}), 1);
  EXPECT_EQ(behaviour_distance({1, 0}, {1, 0}), 0);
  EXPECT_EQ(behaviour_distance({1, 0}, {0, 1}), 2);
}

// On a line at 0, 1, 3 and 7.
TEST(Novelty, is_the_mean_distance_to_the_nearest_others) {
  const std::vector<Behaviour> line{{0}, {1}, {3}, {7}};
  EXPECT_THAT(novelties(line, 1), ElementsAre(1, 1, 2, 4));
  EXPECT_THAT(novelties(line, 2), ElementsAre(2, 1.5, 2.5, 5));
  EXPECT_THAT(novelties(line, 3), ElementsAre(DoubleEq(11 / 3.0), 3, 3, DoubleEq(17 / 3.0)));
  EXPECT_EQ(novelties(line, 9), novelties(line, 3));
}

TEST(Novelty, without_a_behaviour_or_others_there_is_none) {
  EXPECT_THAT(novelties(std::vector<Behaviour>{{0}, {}, {3}}, 2), ElementsAre(3, 0, 3));
  EXPECT_THAT(novelties(std::vector<Behaviour>{{5}}, 2), ElementsAre(0));
  EXPECT_THAT(novelties(std::vector<Behaviour>{{}, {5}}, 2), ElementsAre(0, 0));
}

TEST(ParetoFronts, nobody_of_the_first_is_dominated) {
  // (1, 1), (2, 3) and (3, 4) are first; (2, 1) is behind the first two, (3, 1) behind that.
  EXPECT_THAT(pareto_fronts(std::vector<double>{3, 2, 1, 2, 3}, std::vector<double>{1, 1, 1, 3, 4}),
              ElementsAre(2, 1, 0, 0, 0));
}

TEST(ParetoFronts, equals_share_one) {
  EXPECT_THAT(pareto_fronts(std::vector<double>{1, 1, 2, 2}, std::vector<double>{5, 5, 5, 5}),
              ElementsAre(0, 0, 1, 1));
}

TEST(ParetoFronts, what_is_not_finite_is_behind_everything_however_novel) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(
      pareto_fronts(std::vector<double>{kNan, 9, -infinity, 1}, std::vector<double>{7, 0, 8, 0}),
      ElementsAre(3, 1, 2, 0));
}

}  // namespace
}  // namespace lipizz::coev::novelty_test
