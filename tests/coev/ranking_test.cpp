#include "coev/ranking.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace lipizz::coev::ranking_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Ranking, what_is_not_finite_loses_to_everything) {
  EXPECT_TRUE(is_better(1, 2));
  EXPECT_FALSE(is_better(2, 1));
  EXPECT_FALSE(is_better(1, 1));
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    EXPECT_TRUE(is_better(1e300, bad));
    EXPECT_FALSE(is_better(bad, 1e300));
    EXPECT_FALSE(is_better(bad, kNan));
  }
}

TEST(Ranking, ties_go_by_cell) {
  EXPECT_TRUE(precedes(1, {2}, 1, {3}));
  EXPECT_FALSE(precedes(1, {3}, 1, {2}));
  EXPECT_TRUE(precedes(1, {3}, 2, {2}));
  EXPECT_TRUE(precedes(kNan, {2}, kInfinity, {3}));
}

TEST(Ranking, finds_the_best_finite_one_ties_by_cell) {
  const std::vector<CellId> cells{{3}, {2}, {1}, {0}};
  EXPECT_EQ(best_finite(std::vector<double>{kNan, 5, 5, 6}, cells), 2U);
  EXPECT_EQ(best_finite(std::vector<double>{kNan, kNan, kNan, kNan}, cells), std::nullopt);
}

TEST(Ranking, ranks_the_best_first_ties_by_cell_what_is_not_finite_last) {
  const std::vector<CellId> cells{{3}, {2}, {1}, {0}, {4}};
  EXPECT_EQ(ranked(std::vector<double>{5, kNan, 5, kInfinity, 4}, cells),
            (std::vector<std::size_t>{4, 2, 0, 3, 1}));
  EXPECT_TRUE(ranked({}, {}).empty());
}

}  // namespace
}  // namespace lipizz::coev::ranking_test
