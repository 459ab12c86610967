#include "coev/selection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace lipizz::coev {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Random stream(std::uint32_t generation) {
  return Random(1, Purpose::kTournament, {0}, generation);
}

TEST(Selection, takes_the_fittest_when_all_are_drawn) {
  const std::vector<CellId> cells{{4}, {1}, {7}};
  for (std::uint32_t size : {3U, 9U}) {
    EXPECT_EQ(
        tournament(std::vector<double>{2, 3, 1}, cells, size, stream(0), NetworkRole::kGenerator),
        2U);
  }
}

TEST(Selection, breaks_ties_by_cell) {
  const std::vector<CellId> cells{{4}, {1}, {7}};
  EXPECT_EQ(tournament(std::vector<double>{2, 2, 2}, cells, 3, stream(0), NetworkRole::kGenerator),
            1U);
}

TEST(Selection, never_takes_what_is_not_finite_while_there_is_anything_else) {
  const std::vector<CellId> cells{{0}, {1}, {2}};
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(tournament(std::vector<double>{kNan, -infinity, 9}, cells, 3, stream(0),
                       NetworkRole::kGenerator),
            2U);
  EXPECT_EQ(tournament(std::vector<double>{kNan, kNan, kNan}, cells, 3, stream(0),
                       NetworkRole::kGenerator),
            0U);
}

TEST(Selection, draws_distinct_individuals_uniformly) {
  // Two of three, distinct: the best is among them with probability 2/3, and the worst never wins.
  const std::vector<CellId> cells{{0}, {1}, {2}};
  std::map<std::size_t, int> wins;
  for (std::uint32_t g = 0; g < 3000; ++g) {
    ++wins[tournament(std::vector<double>{2, 1, 3}, cells, 2, stream(g), NetworkRole::kGenerator)];
  }
  EXPECT_NEAR(wins[1], 2000, 4 * std::sqrt(3000 * 2.0 / 9));  // four standard deviations
  EXPECT_NEAR(wins[0], 1000, 4 * std::sqrt(3000 * 2.0 / 9));
  EXPECT_EQ(wins[2], 0);
}

TEST(Selection, draws_apart_for_generators_and_discriminators) {
  const std::vector<CellId> cells{{0}, {1}, {2}, {3}, {4}};
  int differences = 0;
  for (std::uint32_t g = 0; g < 100; ++g) {
    const std::vector<double> fitness{1, 2, 3, 4, 5};
    differences += tournament(fitness, cells, 2, stream(g), NetworkRole::kGenerator) !=
                   tournament(fitness, cells, 2, stream(g), NetworkRole::kDiscriminator);
  }
  EXPECT_GT(differences, 20);
}

}  // namespace
}  // namespace lipizz::coev
