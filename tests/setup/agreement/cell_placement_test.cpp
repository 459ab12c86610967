#include "setup/agreement/cell_placement.hpp"

#include <gmock/gmock.h>

#include "setup/agreement/entries.hpp"

namespace lipizz::setup::cell_placement_test {
namespace {

using ::testing::ElementsAre;

TEST(CellPlacement, cells_are_placed_by_speed_where_it_differs_by_far) {
  EXPECT_EQ(agreed_placement("auto", "cpu"), "shares");
  EXPECT_EQ(agreed_placement("auto", "cuda"), "shares");
  EXPECT_EQ(agreed_placement("auto", "cuda+cpu"), "measured");
  EXPECT_EQ(agreed_placement("measured", "cpu"), "measured");
  EXPECT_EQ(agreed_placement("shares", "cuda+cpu"), "shares");
}

TEST(CellPlacement, places_by_speeds_once_all_workers_have_measured_them) {
  auto entries = entries_on({"m", "a", "b", "c"});
  entries[1].speed = Speed{0.01, 0.001};
  entries[2].speed = Speed{0, 0.005};
  EXPECT_THAT(place_cells(entries, {1, 6}), ElementsAre(1, 1, 2, 2, 3, 3)) << "one has not";
  entries[3].speed = Speed{0, 1};
  EXPECT_THAT(place_cells(entries, {1, 6}), ElementsAre(1, 1, 1, 1, 2, 2));
  EXPECT_THAT(place_cells(entries, {1, 2}), ElementsAre(2, 2));
  const std::vector<std::int32_t> before{1, 1, 1, 1, 2, 2};
  EXPECT_THAT(placement_without(entries, before, {Rank{2}}), ElementsAre(1, 1, 1, 1, 1, 1));
}

TEST(CellPlacement, cores_are_counted_once_unless_ranks_are_bound_to_their_own) {
  auto entries = entries_on({"a", "a", "b"});
  EXPECT_EQ(cores_of(entries), 8U);
  entries[1].cores.set = 1;
  entries[1].cores.n = 2;
  EXPECT_EQ(cores_of(entries), 4U + 2 + 4);
  entries[0].cores.n_of_all = 5;
  EXPECT_EQ(cores_of(entries), 5U + 4) << "control groups do not give more";
}

// GRID-2: a host's cores are shared out among the workers that run there.
TEST(CellPlacement, places_by_what_each_worker_has_to_itself) {
  auto entries = entries_on({"m", "big", "small", "small"});
  entries[1].cores.n = 16;
  entries[1].memory.bytes *= 4;
  // 16 cores against 2 and 2.
  EXPECT_THAT(place_cells(entries, {2, 5}), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 2, 3));
}

TEST(CellPlacement, cells_of_lost_ranks_move_to_where_there_is_most_room) {
  auto entries = entries_on({"m", "a", "b", "c", "d"});
  const std::vector<std::int32_t> before{1, 2, 3};
  EXPECT_THAT(placement_without(entries, before, {Rank{2}}), ElementsAre(1, 4, 3))
      << "to the spare";
  EXPECT_THAT(placement_without(entries, before, {Rank{2}, Rank{4}}), ElementsAre(1, 1, 3));
  EXPECT_THAT(placement_without(entries, before, {Rank{4}}), ElementsAre(1, 2, 3));
  entries[3].cores.n = 16;
  entries[3].memory.bytes *= 4;
  EXPECT_THAT(placement_without(entries, before, {Rank{1}, Rank{2}, Rank{4}}),
              ElementsAre(3, 3, 3));
  EXPECT_THAT(placement_without(entries, before, {Rank{2}, Rank{4}}), ElementsAre(1, 3, 3));
}

TEST(CellPlacement, helpers_host_nothing) {
  auto entries = entries_on({"m", "a", "a", "b", "b", "c", "c"});
  EXPECT_THAT(place_cells(entries, {2, 2}, 2), ElementsAre(1, 1, 3, 5));
  EXPECT_THAT(place_cells(entries_on({"a", "a", "a", "a", "b", "b", "b"}), {2, 3}, 2),
              ElementsAre(1, 1, 3, 3, 5, 5))
      << "three ranks compute on either host, and two groups have one on the first";
  const std::vector<std::int32_t> before{1, 1, 3};
  EXPECT_THAT(placement_without(entries, before, {Rank{3}}, 2), ElementsAre(1, 1, 5));
  EXPECT_THAT(placement_without(entries, before, {Rank{4}}, 2), ElementsAre(1, 1, 3))
      << "a helper's worker keeps its cells";
}

TEST(CellPlacement, one_cell_each_makes_local_a_torus) {
  comm::RunPlan run_plan;
  run_plan.hosts = {"m", "a", "a", "a", "a", "a"};
  run_plan.rank_of_cell = {1, 2, 3, 4};
  const comm::Groups each = groups_of(run_plan, {2, 2});
  EXPECT_THAT(each.active, ElementsAre(Rank{1}, Rank{2}, Rank{3}, Rank{4}));
  ASSERT_TRUE(each.torus);
  EXPECT_EQ(each.torus->rows, 2U);
  run_plan.rank_of_cell = {1, 1, 2, 2};
  EXPECT_FALSE(groups_of(run_plan, {2, 2}).torus);
}

}  // namespace
}  // namespace lipizz::setup::cell_placement_test
