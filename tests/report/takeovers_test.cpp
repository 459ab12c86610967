#include "report/takeovers.hpp"

#include <gtest/gtest.h>

#include <array>

#include "report/made_history.hpp"

namespace lipizz::report {
namespace {

using Cells = std::vector<std::uint32_t>;

TEST(Takeovers, are_counted_by_pair_with_the_most_frequent_first) {
  const auto taken =
      takeovers_of(history_of_origins({{1, 1, 1}, {0, 1, 1}, {1, 1, 1}}), Side::kGenerator);
  ASSERT_EQ(taken.size(), 2);
  EXPECT_EQ(taken[0].from, CellId{1});
  EXPECT_EQ(taken[0].to, CellId{2});
  EXPECT_EQ(taken[0].n, 3);
  EXPECT_EQ(taken[1].to, CellId{0});
  EXPECT_EQ(taken[1].n, 2);
  EXPECT_TRUE(
      takeovers_of(history_of_origins({{1, 1, 1}, {0, 1, 1}}), Side::kDiscriminator).empty());
}

TEST(Founders, are_handed_on_a_generation_at_a_time) {
  // 2 is taken over by 1 while 1 is taken over by 0: it gets what 1 was before.
  const History history = history_of_origins({{0, 0, 1}, {2, 1, 2}, {0, 1, 2}});
  const std::array<Generation, 2> wanted{1, 3};
  const Founders founders = founders_of(history, Side::kGenerator, wanted);
  ASSERT_EQ(founders.of_cells.size(), 2);
  EXPECT_EQ(founders.of_cells[0], (Cells{0, 0, 1}));
  EXPECT_EQ(founders.of_cells[1], (Cells{1, 0, 1}));
  EXPECT_EQ(founders.n_alive, (std::vector<float>{2, 2, 2}));
}

TEST(Founders, of_networks_that_nobody_took_are_the_cells_themselves) {
  const std::array<Generation, 1> wanted{2};
  const Founders founders =
      founders_of(history_of_origins({{1, 0}, {1, 0}}), Side::kDiscriminator, wanted);
  EXPECT_EQ(founders.of_cells[0], (Cells{0, 1}));
  EXPECT_EQ(founders.n_alive, (std::vector<float>{2, 2}));
}

}  // namespace
}  // namespace lipizz::report
