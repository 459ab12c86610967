#include "report/takeovers.hpp"

#include <gtest/gtest.h>

#include <array>

#include "report/made_history.hpp"

namespace lipizz::report::takeovers_test {
namespace {

using Cells = std::vector<std::uint32_t>;

TEST(Takeovers, are_counted_by_pair_with_the_most_frequent_first) {
  const auto taken =
      takeovers_of(history_of_origins({{1, 1, 1}, {0, 1, 1}, {1, 1, 1}}), NetworkRole::kGenerator);
  ASSERT_EQ(taken.size(), 2);
  EXPECT_EQ(taken[0].from, CellId{1});
  EXPECT_EQ(taken[0].to, CellId{2});
  EXPECT_EQ(taken[0].n, 3);
  EXPECT_EQ(taken[1].to, CellId{0});
  EXPECT_EQ(taken[1].n, 2);
  EXPECT_TRUE(takeovers_of(history_of_origins({{1, 1, 1}, {0, 1, 1}}), NetworkRole::kDiscriminator)
                  .empty());
}

TEST(Founders, are_handed_on_a_generation_at_a_time) {
  // 2 is taken over by 1 while 1 is taken over by 0: it gets what 1 was before.
  const History history = history_of_origins({{0, 0, 1}, {2, 1, 2}, {0, 1, 2}});
  const std::array<Generation, 2> wanted{1, 3};
  const Founders founders = founders_of(history, NetworkRole::kGenerator, wanted);
  ASSERT_EQ(founders.of_cells.size(), 2);
  EXPECT_EQ(founders.of_cells[0], (Cells{0, 0, 1}));
  EXPECT_EQ(founders.of_cells[1], (Cells{1, 0, 1}));
  EXPECT_EQ(founders.n_alive, (std::vector<float>{2, 2, 2}));
}

TEST(Moves, lead_back_to_the_start) {
  const History history = history_of_origins({{0, 0, 1}, {2, 1, 2}, {0, 1, 0}});
  const std::vector<Move> moves = moves_of(history, NetworkRole::kGenerator, {2}, 9);
  ASSERT_EQ(moves.size(), 3);  // 2 took it from 0, which took it from 2, which took it from 1
  EXPECT_EQ(moves[0].generation, 3);
  EXPECT_EQ(moves[0].from, CellId{0});
  EXPECT_EQ(moves[1].generation, 2);
  EXPECT_EQ(moves[1].from, CellId{2});
  EXPECT_EQ(moves[2].generation, 1);
  EXPECT_EQ(moves[2].from, CellId{1});
  EXPECT_EQ(moves_of(history, NetworkRole::kGenerator, {2}, 2).size(), 2);
  EXPECT_TRUE(moves_of(history, NetworkRole::kDiscriminator, {2}, 9).empty());
}

TEST(Founders, of_networks_that_nobody_took_are_the_cells_themselves) {
  const std::array<Generation, 1> wanted{2};
  const Founders founders =
      founders_of(history_of_origins({{1, 0}, {1, 0}}), NetworkRole::kDiscriminator, wanted);
  EXPECT_EQ(founders.of_cells[0], (Cells{0, 1}));
  EXPECT_EQ(founders.n_alive, (std::vector<float>{2, 2}));
}

}  // namespace
}  // namespace lipizz::report::takeovers_test
