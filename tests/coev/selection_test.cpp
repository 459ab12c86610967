#include "coev/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "coev/operator_conformance.hpp"
#include "coev/ranking.hpp"
#include "coev/selection/exploit.hpp"
#include "coev/selection/novelty.hpp"
#include "coev/selection/pair_tournament.hpp"
#include "coev/selection/tournament.hpp"
#include "coev/selection/truncation.hpp"

namespace lipizz::coev::selection_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::size_t tournament(std::span<const double> fitness, std::span<const CellId> cells,
                       std::uint32_t size, const Random& random, NetworkRole role) {
  const std::vector<double> values{static_cast<double>(size)};
  return kTournamentSelection.select({fitness, cells, random, role}, values);
}

Random stream(std::uint32_t generation) {
  return Random(1, Purpose::kSelection, {0}, generation);
}

TEST(Tournament, takes_the_fittest_when_all_are_drawn) {
  const std::vector<CellId> cells{{4}, {1}, {7}};
  for (std::uint32_t size : {3U, 9U}) {
    EXPECT_EQ(
        tournament(std::vector<double>{2, 3, 1}, cells, size, stream(0), NetworkRole::kGenerator),
        2U);
  }
}

TEST(Tournament, breaks_ties_by_cell) {
  const std::vector<CellId> cells{{4}, {1}, {7}};
  EXPECT_EQ(tournament(std::vector<double>{2, 2, 2}, cells, 3, stream(0), NetworkRole::kGenerator),
            1U);
}

TEST(Tournament, never_takes_what_is_not_finite_while_there_is_anything_else) {
  const std::vector<CellId> cells{{0}, {1}, {2}};
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(tournament(std::vector<double>{kNan, -infinity, 9}, cells, 3, stream(0),
                       NetworkRole::kGenerator),
            2U);
  EXPECT_EQ(tournament(std::vector<double>{kNan, kNan, kNan}, cells, 3, stream(0),
                       NetworkRole::kGenerator),
            0U);
}

TEST(Tournament, draws_distinct_individuals_uniformly) {
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

TEST(Tournament, draws_apart_for_generators_and_discriminators) {
  const std::vector<CellId> cells{{0}, {1}, {2}, {3}, {4}};
  int differences = 0;
  for (std::uint32_t g = 0; g < 100; ++g) {
    const std::vector<double> fitness{1, 2, 3, 4, 5};
    differences += tournament(fitness, cells, 2, stream(g), NetworkRole::kGenerator) !=
                   tournament(fitness, cells, 2, stream(g), NetworkRole::kDiscriminator);
  }
  EXPECT_GT(differences, 20);
}

TEST(Truncation, draws_from_the_fittest_alone_and_equally) {
  // Half of five, rounded up: the members 4, 0 and 2.
  const std::vector<CellId> cells{{8}, {1}, {3}, {6}, {2}};
  const std::vector<double> fitness{2, kNan, 3, 9, 1};
  const std::vector<double> half{0.5};
  std::map<std::size_t, int> draws;
  for (std::uint32_t g = 0; g < 3000; ++g) {
    const Random random = stream(g);
    ++draws[kTruncationSelection.select({fitness, cells, random, NetworkRole::kGenerator}, half)];
  }
  EXPECT_EQ(draws.size(), 3U);
  for (const std::size_t member : {4U, 0U, 2U}) {
    EXPECT_NEAR(draws[member], 1000, 4 * std::sqrt(3000 * 2.0 / 9));  // four standard deviations
  }
}

using ::testing::Contains;

TEST(Selection, every_row_conforms) {
  for (const Selection* row : selections()) {
    EXPECT_THAT(testing::broken_properties(*row), ::testing::IsEmpty()) << row->name;
  }
}

// The fittest of all, with one mistake.
template <auto function>
constexpr Selection kSpoiled{.name = "spoiled", .summary = "", .select = function};

std::size_t fittest(const SelectionInput& input, ParameterValues) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < input.cells.size(); ++i) {
    if (precedes(input.fitness[i], input.cells[i], input.fitness[best], input.cells[best])) {
      best = i;
    }
  }
  return best;
}

std::size_t stateful(const SelectionInput& input, ParameterValues values) {
  static std::size_t n_calls = 0;
  return (fittest(input, values) + n_calls++) % input.cells.size();
}

std::size_t fooled_by_nan(const SelectionInput& input, ParameterValues) {
  return static_cast<std::size_t>(std::ranges::min_element(input.fitness) - input.fitness.begin());
}

std::size_t first_of_equals(const SelectionInput& input, ParameterValues) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < input.cells.size(); ++i) {
    if (is_better(input.fitness[i], input.fitness[best])) best = i;
  }
  return best;
}

std::size_t beyond(const SelectionInput& input, ParameterValues values) {
  return fittest(input, values) + 1;
}

std::size_t restless(const SelectionInput& input, ParameterValues values) {
  return input.fitness.empty() ? input.cells.size() - 1 : fittest(input, values);
}

std::size_t select(const Selection& selection, const std::vector<double>& values,
                   const std::vector<double>& fitness, Generation generation) {
  std::vector<CellId> cells;
  for (std::uint32_t i = 0; i < fitness.size(); ++i) cells.push_back({i});
  const Random random = stream(generation);
  return selection.select({fitness, cells, random, NetworkRole::kGenerator, generation}, values);
}

// LT-2 and LT-3 of LBANN's tests of its tournaments; evolution_test.cpp has them for whole cells.
TEST(PairTournament, a_cell_without_neighbours_plays_against_itself) {
  for (Generation g = 1; g < 20; ++g)
    EXPECT_EQ(select(kPairTournamentSelection, {1}, {kNan}, g), 0U);
}

TEST(PairTournament, what_is_not_finite_never_survives) {
  for (Generation g = 1; g < 50; ++g) {
    EXPECT_EQ(select(kPairTournamentSelection, {1}, {1, kNan, kNan, kNan, kNan}, g), 0U);
    EXPECT_NE(select(kPairTournamentSelection, {1}, {kNan, 9, 9, 9, 9}, g), 0U);
  }
}

TEST(PairTournament, the_fitter_of_two_wins_and_every_neighbour_is_met) {
  std::map<std::size_t, int> winners;
  for (Generation g = 1; g <= 400; ++g) {
    ++winners[select(kPairTournamentSelection, {1}, {5, 1, 9, 2, 8}, g)];
  }
  EXPECT_EQ(winners.size(), 3U);  // itself against 2 and 4, and 1 and 3
  EXPECT_NEAR(winners[0], 200, 60);
  EXPECT_NEAR(winners[1], 100, 50);
  EXPECT_NEAR(winners[3], 100, 50);
}

TEST(PairTournament, happens_once_in_a_period) {
  for (Generation g = 1; g < 30; ++g) {
    const std::size_t winner = select(kPairTournamentSelection, {5}, {5, 1, 1, 1, 1}, g);
    EXPECT_EQ(winner != 0, g % 5 == 0) << g;
  }
}

TEST(Exploit, the_worst_copy_the_best_and_the_others_stay) {
  for (Generation g = 1; g < 30; ++g) {
    EXPECT_EQ(select(kExploitSelection, {0.2, 1}, {9, 3, 1, 4, 5}, g), 2U);
    EXPECT_EQ(select(kExploitSelection, {0.2, 1}, {5, 3, 1, 4, 9}, g), 0U);
    EXPECT_EQ(select(kExploitSelection, {0.2, 1}, {kNan, 3, 1, 4, 9}, g), 2U);
    EXPECT_EQ(select(kExploitSelection, {0.2, 4}, {9, 3, 1, 4, 5}, g) != 0, g % 4 == 0);
  }
  EXPECT_EQ(select(kExploitSelection, {0.5, 1}, {1}, 1), 0U);
}

// Pairs that make 0, 0.2, 0.3, 1 and 1 of the first of two classes. They are 0.4, 0.2, 0.2, 0 and 0
// from their nearest.
struct Novel {
  std::vector<double> fitness{3, 1, 2, 4, 4};
  std::vector<Behaviour> behaviours{{0, 1}, {0.2, 0.8}, {0.3, 0.7}, {1, 0}, {1, 0}};
  std::vector<CellId> cells{{0}, {1}, {2}, {4}, {3}};

  std::size_t selected(double size, double k, double period, Generation generation) const {
    const Random random = stream(generation);
    const std::vector<double> values{size, k, period};
    return kNoveltySelection.select(
        {fitness, cells, random, NetworkRole::kGenerator, generation, behaviours}, values);
  }
};

TEST(Novelty, of_the_first_front_takes_the_most_novel) {
  // Members 0 and 1 are dominated by nobody, 2 by 1, and 3 and 4 by all of them.
  const Novel n;
  EXPECT_EQ(n.selected(5, 1, 1, 1), 0U);
  Novel fit = n;
  fit.fitness[0] = 0.5;  // now it dominates everybody
  EXPECT_EQ(fit.selected(5, 1, 1, 1), 0U);
  fit.fitness[0] = kNan;  // which loses, however novel
  EXPECT_EQ(fit.selected(5, 1, 1, 1), 1U);
}

TEST(Novelty, ties_go_to_the_lower_cell) {
  Novel n;
  n.fitness = {4, 4, 4, 4, 4};
  n.behaviours.assign(5, {1, 0});
  EXPECT_EQ(n.selected(5, 1, 1, 1), 0U);
  n.cells[0] = {9};
  EXPECT_EQ(n.selected(5, 1, 1, 1), 1U);
}

TEST(Novelty, a_tournament_of_two_lets_the_others_win_too) {
  const Novel n;
  std::map<std::size_t, int> wins;
  for (Generation g = 1; g <= 1000; ++g) ++wins[n.selected(2, 1, 1, g)];
  // Ranked 0, 1, 2, 4, 3: of ten pairs 4, 3, 2 and 1 are won.
  const double deviations = 4 * std::sqrt(1000 * 0.25);
  EXPECT_NEAR(wins[0], 400, deviations);
  EXPECT_NEAR(wins[1], 300, deviations);
  EXPECT_NEAR(wins[2], 200, deviations);
  EXPECT_NEAR(wins[4], 100, deviations);
  EXPECT_EQ(wins[3], 0);
}

TEST(Novelty, happens_once_in_a_period_and_not_alone) {
  Novel n;
  n.fitness[0] = 9;
  n.behaviours[0] = {1, 0};
  for (Generation g = 1; g < 30; ++g) EXPECT_EQ(n.selected(5, 1, 5, g) != 0, g % 5 == 0) << g;
  n.fitness.resize(1);
  n.behaviours.resize(1);
  n.cells.resize(1);
  EXPECT_EQ(n.selected(2, 1, 1, 1), 0U);
}

TEST(Selection, the_suite_finds_each_property_broken) {
  EXPECT_THAT(testing::broken_properties(kSpoiled<fittest>), ::testing::IsEmpty());
  EXPECT_THAT(testing::broken_properties(kSpoiled<stateful>), Contains("deterministic"));
  EXPECT_THAT(testing::broken_properties(kSpoiled<fooled_by_nan>), Contains("NaN loses"));
  EXPECT_THAT(testing::broken_properties(kSpoiled<first_of_equals>), Contains("ties go by cell"));
  EXPECT_THAT(testing::broken_properties(kSpoiled<beyond>), Contains("gives a member"));
  Selection periodic = kSpoiled<restless>;
  constexpr std::array kPeriod{kPeriodParameter};
  periodic.parameters = kPeriod;
  EXPECT_THAT(testing::broken_properties(periodic), Contains("rests between periods"));
  Selection secretive = kSpoiled<fittest>;
  secretive.copies_neighbours = false;
  EXPECT_THAT(testing::broken_properties(secretive), Contains("copies whom it says"));
}

}  // namespace
}  // namespace lipizz::coev::selection_test
