#include "grid/placement.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "core/error.hpp"

namespace lipizz::grid::placement_test {
namespace {

constexpr Speed kEqual{.fixed_s = 0, .per_cell_s = 1};

using ::testing::ElementsAre;

TEST(Placement, every_cell_lies_on_one_worker) {
  for (std::uint32_t n_cells = 1; n_cells <= 20; ++n_cells) {
    for (std::size_t n_workers = 1; n_workers <= 23; ++n_workers) {
      const Counts counts = place(n_cells, std::vector<Capacity>(n_workers));
      EXPECT_EQ(counts.size(), n_workers);
      EXPECT_EQ(std::reduce(counts.begin(), counts.end()), n_cells);
    }
  }
}

TEST(Placement, equal_workers_differ_by_at_most_one_cell) {
  for (std::uint32_t n_cells : {5U, 16U, 17U, 100U}) {
    for (std::size_t n_workers = 1; n_workers <= n_cells; ++n_workers) {
      const auto sizes = place(n_cells, std::vector<Capacity>(n_workers, {4, 1e9}));
      const auto [least, most] = std::ranges::minmax(sizes);
      EXPECT_GE(least, 1U);
      EXPECT_LE(most - least, 1U) << n_cells << " on " << n_workers;
    }
  }
}

TEST(Placement, as_many_workers_as_cells_host_one_each_in_order_whatever_their_strength) {
  const std::vector<Capacity> workers{{1, 1}, {64, 1}, {2, 9}};
  EXPECT_THAT(place(3, workers), ElementsAre(1, 1, 1));
}

TEST(Placement, the_weakest_are_spares_and_the_later_among_equals) {
  const std::vector<Capacity> workers{{1, 1}, {4, 1}, {4, 1}, {1, 1}, {4, 1}};
  EXPECT_THAT(place(3, workers), ElementsAre(0, 1, 1, 0, 1));
  EXPECT_THAT(place(4, workers), ElementsAre(1, 1, 1, 0, 1));
  EXPECT_THAT(place(2, workers), ElementsAre(0, 1, 1, 0, 0));
}

TEST(Placement, stronger_workers_host_more) {
  const std::vector<Capacity> workers{{1, 8}, {3, 24}, {2, 16}};
  EXPECT_THAT(place(12, workers), ElementsAre(2, 6, 4));
  const std::vector<Capacity> feeble{{1000, 1}, {0.001, 1}};
  EXPECT_THAT(place(4, feeble), ElementsAre(3, 1));
}

TEST(Placement, little_memory_weighs_like_few_cores) {
  const std::vector<Capacity> workers{{8, 1e9}, {8, 3e9}};
  // Shares: 1/4 of the memory against 1/2 of the cores; the second is bound by its cores.
  EXPECT_THAT(place(6, workers), ElementsAre(2, 4));
}

TEST(Placement, nothing_to_place_or_nowhere_to_is_a_bug) {
  EXPECT_THROW(place(0, std::vector<Capacity>(1)), InternalError);
  EXPECT_THROW(place(1, std::span<const Capacity>()), InternalError);
  EXPECT_THROW(place(0, std::vector<Speed>(1, kEqual)), InternalError);
  EXPECT_THROW(place(1, std::span<const Speed>()), InternalError);
  EXPECT_THROW(place(1, std::vector<Capacity>{{0, 1}}), InternalError);
}

TEST(PlacementByPace, equal_workers_host_equally_many) {
  EXPECT_THAT(place(7, std::vector<Speed>(3, kEqual)), ElementsAre(3, 2, 2));
}

TEST(PlacementByPace, cores_take_from_a_gpu_what_makes_it_end_sooner) {
  // 10 and 1 for each cell, beside two cores of 8 for each.
  const std::vector<Speed> workers{{10, 1}, {0, 8}, {0, 8}};
  EXPECT_THAT(place(1, workers), ElementsAre(0, 1, 0));
  EXPECT_THAT(place(2, workers), ElementsAre(0, 1, 1));
  EXPECT_THAT(place(8, workers), ElementsAre(6, 1, 1));
  EXPECT_THAT(place(16, workers), ElementsAre(12, 2, 2));
}

TEST(PlacementByPace, one_that_would_only_hold_the_others_up_is_a_spare) {
  const std::vector<Speed> workers{{0.1, 0.01}, {0, 5}, {0, 5}};
  EXPECT_THAT(place(16, workers), ElementsAre(16, 0, 0));
}

TEST(PlacementByPace, the_slowest_is_as_quick_as_can_be) {
  const std::vector<Speed> workers{{3, 0.5}, {0, 2}, {1, 1}};
  for (std::uint32_t n_cells = 1; n_cells <= 12; ++n_cells) {
    const auto slowest = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      return std::max({workers[0].with(a), workers[1].with(b), workers[2].with(c)});
    };
    double best = slowest(n_cells, 0, 0);
    for (std::uint32_t a = 0; a <= n_cells; ++a) {
      for (std::uint32_t b = 0; a + b <= n_cells; ++b) {
        best = std::min(best, slowest(a, b, n_cells - a - b));
      }
    }
    const auto sizes = place(n_cells, workers);
    EXPECT_EQ(slowest(sizes[0], sizes[1], sizes[2]), best) << n_cells;
  }
}

TEST(PlacementByPace, goes_on_from_what_fits_as_if_cell_by_cell) {
  const auto one_by_one = [](std::uint32_t n_cells, const std::vector<Speed>& workers) {
    Counts counts(workers.size(), 0);
    for (std::uint32_t cell = 0; cell < n_cells; ++cell) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < workers.size(); ++i) {
        if (workers[i].with(counts[i] + 1) < workers[best].with(counts[best] + 1)) best = i;
      }
      ++counts[best];
    }
    return counts;
  };
  for (const std::vector<Speed>& workers :
       {std::vector<Speed>(7, kEqual), std::vector<Speed>{{3, 0.1}, {0, 0.7}, {1, 1.0 / 3}},
        std::vector<Speed>{{2, 0}, {0, 1}}, std::vector<Speed>{{0, 0}, {0, 0}},
        std::vector<Speed>{{0, 1e-300}, {5, 1e300}, {0, 0.1}, {0, 0.1}}}) {
    for (std::uint32_t n_cells : {1U, 2U, 13U, 40U, 999U}) {
      EXPECT_EQ(place(n_cells, workers), one_by_one(n_cells, workers)) << n_cells;
    }
  }
}

TEST(Balance, leaves_cells_where_nothing_is_gained) {
  EXPECT_THAT(balance({0, 0, 1}, std::vector<Speed>(2, kEqual), {true, true}),
              ElementsAre(0, 0, 1));
}

TEST(Balance, takes_the_last_cells_of_a_slow_worker_to_the_first_of_the_quickest) {
  const std::vector<Speed> workers{{0, 1}, {0, 3}, {0, 1}};
  EXPECT_THAT(balance({0, 1, 1, 1, 2}, workers, {true, true, true}), ElementsAre(0, 1, 2, 0, 2));
}

TEST(Balance, empties_only_workers_that_may_be) {
  const std::vector<Speed> workers{{0, 1}, {0, 9}};
  EXPECT_THAT(balance({0, 1, 1}, workers, {true, false}), ElementsAre(0, 1, 0));
  EXPECT_THAT(balance({0, 1, 1}, workers, {true, true}), ElementsAre(0, 0, 0));
}

TEST(Balance, comes_to_the_shortest_longest_generation) {
  const std::vector<Speed> workers{{0, 0.9}, {0.5, 2}, {0, 1.3}, {0, 5}};
  for (std::uint32_t n_cells = 1; n_cells <= 20; ++n_cells) {
    const auto balanced = balance(std::vector<std::size_t>(n_cells, 3), workers,
                                  std::vector<bool>(workers.size(), true));
    const Counts best = place(n_cells, workers);
    double shortest = 0;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      shortest = std::max(shortest, workers[i].with(best[i]));
    }
    EXPECT_DOUBLE_EQ(longest_generation(balanced, workers), shortest) << n_cells;
  }
}

TEST(MoveCells, a_spare_is_the_first_to_get_a_cell) {
  EXPECT_THAT(move_cells({0, 1, 2}, std::vector<Speed>(4, kEqual), {false, true, false, false}),
              ElementsAre(0, 3, 2));
}

TEST(MoveCells, without_spares_they_go_to_the_least_loaded) {
  EXPECT_THAT(
      move_cells({0, 0, 1, 2, 2, 3}, std::vector<Speed>(4, kEqual), {false, false, true, false}),
      ElementsAre(0, 0, 1, 1, 3, 3))
      << "one after another, the first among equals first";
}

TEST(MoveCells, a_stronger_worker_gets_more) {
  const auto workers = speeds_of(std::vector<Capacity>{{2, 1}, {3, 3}, {4, 4}, {1, 1}});
  // The first is bound by its memory.
  EXPECT_THAT(move_cells({0, 1, 1, 1, 1, 2, 2, 3}, workers, {false, true, false, false}),
              ElementsAre(0, 2, 2, 2, 2, 2, 2, 3));
  EXPECT_THAT(move_cells({0, 1, 2, 2, 2, 2, 2, 2}, workers, {false, true, false, false}),
              ElementsAre(0, 3, 2, 2, 2, 2, 2, 2));
}

TEST(MoveCells, no_cell_goes_to_one_that_is_lost) {
  const std::vector<Speed> workers{{0, 1}, {0, 0.01}, {0, 1}, {0, 0.01}, {0, 1}};
  EXPECT_THAT(move_cells({0, 1, 2, 3}, workers, {false, true, false, true, false}),
              ElementsAre(0, 4, 2, 0))
      << "a lost spare included";
  EXPECT_THAT(move_cells({0, 0, 2, 4}, workers, {false, true, false, true, true}),
              ElementsAre(0, 0, 2, 2));
}

TEST(MoveCells, those_of_the_living_stay) {
  const std::vector<std::size_t> worker_of{0, 0, 0, 1};
  EXPECT_EQ(move_cells(worker_of, std::vector<Speed>(3, kEqual), {false, false, false}), worker_of);
  EXPECT_EQ(move_cells(worker_of, std::vector<Speed>(3, kEqual), {false, false, true}), worker_of)
      << "nothing is balanced anew";
}

TEST(MoveCells, nowhere_to_move_them_is_a_bug) {
  EXPECT_THROW(static_cast<void>(move_cells({0, 1}, std::vector<Speed>(2, kEqual), {true, true})),
               InternalError);
}

}  // namespace
}  // namespace lipizz::grid::placement_test
