#include "master/assignments.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "grid/buddies.hpp"

namespace lipizz::master::assignments_test {
namespace {

using comm::Assignment;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Not;
using ::testing::Optional;

constexpr auto kNobody = Assignment::kNobody;

constexpr Generation kNewest = 99;

// Assignments of a run whose cells have told of all that they did.
struct Told : Assignments {
  using Assignments::Assignments;
  std::optional<Generation> held(Rank buddy, const comm::Held& held) {
    Assignments::held(buddy, held);
    return newly_stable(kNewest);
  }
  const Assignment& lose(Rank worker, Generation saved) {
    return Assignments::begin_incarnation_without(worker, saved, kNewest);
  }
};

// Workers alike, and a run on them that begins at the end of a generation.
struct Fixture {
  explicit Fixture(std::vector<std::int32_t> rank_of_cell, int n_workers,
                   bool survives_losses = true, Generation start = 0) {
    run_plan.rank_of_cell = std::move(rank_of_cell);
    run_plan.survives_losses = survives_losses;
    run_plan.start = start;
    for (int rank = 0; rank <= n_workers; ++rank) {
      inventory.emplace_back().host = "host" + std::to_string(rank);
    }
  }

  // A run that reads the inventory, which is to outlive it.
  Told begin() const { return {run_plan, inventory, run_plan.survives_losses}; }

  comm::RunPlan run_plan;
  std::vector<comm::InventoryEntry> inventory;
};

// All buddies tell that they keep a copy of each cell; returns what is safe then.
std::optional<Generation> keep_all(Told& run, Generation generation) {
  const std::vector<std::string> one_host(9, "host");
  std::optional<Generation> safe;
  for (std::uint32_t cell = 0; cell < run.present().rank_of_cell.size(); ++cell) {
    for (const Rank buddy : grid::buddies_of(run.host_of({cell}), run.members(), one_host)) {
      EXPECT_EQ(safe, std::nullopt) << "before the last copy";
      safe = run.held(buddy, {run.present().incarnation, {cell}, generation});
    }
  }
  return safe;
}

TEST(Assignments, begin_as_cells_were_placed) {
  const Fixture workers({1, 1, 3}, 4, true, 5);
  const Assignments run = workers.begin();
  EXPECT_EQ(run.present(), (Assignment{1, 5, {1, 1, 3}, {kNobody, kNobody, kNobody}, {}}));
  EXPECT_THAT(run.active(), ElementsAre(Rank{1}, Rank{3}));
  EXPECT_EQ(run.host_of({2}), Rank{3});
  EXPECT_TRUE(run.lost().empty());
  EXPECT_FALSE(run.is_lost({1}));
}

TEST(Assignments, know_what_a_worker_was_doing_when_it_last_answered) {
  const Fixture workers({1, 2}, 2);
  Assignments run = workers.begin();
  EXPECT_EQ(run.activity_of({1}), "it has never answered");
  run.answered({1}, {.state = comm::WorkerState::kInactive});
  EXPECT_EQ(run.activity_of({1}), "inactive");
  run.answered({1}, {.state = comm::WorkerState::kProcessing, .generation = 7});
  EXPECT_EQ(run.activity_of({1}), "processing generation 7");
  EXPECT_EQ(run.activity_of({2}), "it has never answered");
}

TEST(Assignments, know_who_waited_for_a_rank_and_in_what) {
  Fixture workers({1}, 4);
  workers.run_plan.ranks_per_cell = 4;
  Told run = workers.begin();
  const auto waits = [&](int rank, std::int32_t waits_for, const char* collective) {
    run.answered({rank}, {.generation = 7, .waits_for = waits_for, .collective = collective});
  };
  waits(1, 4, "a gather");
  waits(2, 1, "a transfer");
  EXPECT_EQ(run.waits_for({3}), "");
  EXPECT_EQ(run.waits_for({4}),
            ", in which rank 1 (last in generation 7) waited for it in a gather");
  waits(2, 4, "a transfer");
  EXPECT_EQ(
      run.waits_for({4}),
      ", in which rank 1 (last in generation 7) waited for it in a gather and rank 2 (last in "
      "generation 7) waited for it in a transfer");
  static_cast<void>(run.lose({2}, 0));
  waits(1, 0, "");
  EXPECT_EQ(run.waits_for({4}), "") << "one waits no more, and one is lost";
}

TEST(Assignments, are_told_to_spares_where_losses_are_survived) {
  EXPECT_THAT(Fixture({1, 3}, 4).begin().members(),
              ElementsAre(Rank{1}, Rank{2}, Rank{3}, Rank{4}));
  EXPECT_THAT(Fixture({1, 3}, 4, false).begin().members(), ElementsAre(Rank{1}, Rank{3}));
}

TEST(Assignments, know_who_has_begun) {
  const Fixture workers({1, 2}, 2);
  Told run = workers.begin();
  EXPECT_FALSE(run.has_begun({1}));
  run.begun({1}, {1});
  EXPECT_TRUE(run.has_begun({1}));
  EXPECT_FALSE(run.has_begun({2}));
}

TEST(Assignments, one_that_is_over_is_begun_by_nobody) {
  const Fixture workers({1, 2}, 3);
  Told run = workers.begin();
  run.begun({1}, {1});
  run.lose({2}, 0);
  EXPECT_FALSE(run.has_begun({1})) << "it trains by the old one";
  run.begun({1}, {1});
  EXPECT_FALSE(run.has_begun({1}));
  run.begun({1}, {2});
  EXPECT_TRUE(run.has_begun({1}));
}

TEST(Assignments, a_generation_is_safe_when_host_and_all_buddies_keep_every_cell) {
  const Fixture workers({1, 2}, 4);
  Told run = workers.begin();
  EXPECT_EQ(run.held({2}, {1, {0}, 3}), std::nullopt);
  EXPECT_EQ(run.held({3}, {1, {0}, 3}), std::nullopt);
  EXPECT_EQ(run.held({3}, {1, {1}, 3}), std::nullopt);
  EXPECT_EQ(run.held({3}, {1, {1}, 3}), std::nullopt) << "who keeps it counts once";
  EXPECT_THAT(run.held({4}, {1, {1}, 3}), Optional(3U)) << "more than two buddies has none";
  EXPECT_EQ(run.held({1}, {1, {1}, 3}), std::nullopt) << "told once";
}

TEST(Assignments, two_workers_are_buddies_of_each_other_alone) {
  const Fixture workers({1, 2}, 2);
  Told run = workers.begin();
  EXPECT_EQ(run.held({2}, {1, {0}, 3}), std::nullopt);
  EXPECT_THAT(run.held({1}, {1, {1}, 3}), Optional(3U));
}

TEST(Assignments, only_what_is_newer_becomes_safe) {
  const Fixture workers({1, 2}, 2, true, 5);
  Told run = workers.begin();
  EXPECT_EQ(keep_all(run, 5), std::nullopt) << "there it began";
  EXPECT_THAT(keep_all(run, 8), Optional(8U));
  EXPECT_EQ(keep_all(run, 7), std::nullopt);
  EXPECT_THAT(keep_all(run, 9), Optional(9U));
}

TEST(Assignments, copies_of_an_incarnation_that_is_over_do_not_count) {
  const Fixture workers({1, 2}, 3);
  Told run = workers.begin();
  run.lose({3}, 0);
  EXPECT_EQ(run.held({2}, {1, {0}, 3}), std::nullopt);
  EXPECT_EQ(run.held({1}, {1, {1}, 3}), std::nullopt);
  EXPECT_EQ(run.lose({2}, 0).start, 0U);
}

TEST(Assignments, a_copy_of_a_cell_that_does_not_exist_is_refused) {
  const Fixture workers({1, 2}, 2);
  Told run = workers.begin();
  EXPECT_THROW(run.held({1}, {1, {2}, 3}), CommError);
}

TEST(Assignments, cells_of_a_lost_worker_move_to_a_spare) {
  const Fixture workers({1, 2, 3}, 4);
  Told run = workers.begin();
  EXPECT_EQ(run.lose({2}, 0), (Assignment{2, 0, {1, 4, 3}, {kNobody, kNobody, kNobody}, {2}}));
  EXPECT_EQ(run.present().incarnation, 2U);
  EXPECT_THAT(run.active(), ElementsAre(Rank{1}, Rank{3}, Rank{4}));
  EXPECT_THAT(run.members(), ElementsAre(Rank{1}, Rank{3}, Rank{4}));
  EXPECT_TRUE(run.is_lost({2}));
  EXPECT_THAT(run.lost(), ElementsAre(Rank{2}));
}

TEST(Assignments, or_to_the_least_loaded) {
  const Fixture workers({1, 1, 2, 3}, 3);
  Told run = workers.begin();
  EXPECT_THAT(run.lose({2}, 0).rank_of_cell, ElementsAre(1, 1, 3, 3));
}

TEST(Assignments, the_loss_of_a_spare_moves_no_cell) {
  const Fixture workers({1, 2}, 3);
  Told run = workers.begin();
  static_cast<void>(keep_all(run, 4));
  EXPECT_EQ(run.lose({3}, 0), (Assignment{2, 4, {1, 2}, {1, 2}, {3}}));
}

TEST(Assignments, go_on_from_the_newest_copies_of_all_cells) {
  const Fixture workers({1, 2, 3}, 3);
  Told run = workers.begin();
  static_cast<void>(keep_all(run, 4));
  run.held({3}, {1, {0}, 6});
  run.held({3}, {1, {1}, 6});
  run.held({1}, {1, {2}, 6});
  run.held({3}, {1, {1}, 7});  // and of no other cell
  EXPECT_EQ(run.lose({2}, 4), (Assignment{2, 6, {1, 1, 3}, {1, 3, 3}, {2}}))
      << "from the host itself where it has a copy";
}

TEST(Assignments, a_copy_that_the_lost_kept_alone_is_no_copy) {
  const Fixture workers({1, 2, 3}, 3);
  Told run = workers.begin();
  static_cast<void>(keep_all(run, 4));
  run.held({2}, {1, {0}, 6});
  run.held({2}, {1, {2}, 6});
  EXPECT_EQ(run.lose({2}, 0).start, 4U) << "nobody else ever had cell 1 at 6";
}

TEST(Assignments, go_on_from_files_that_are_as_new_as_the_copies) {
  const Fixture workers({1, 2}, 3);
  for (const Generation saved : {4U, 5U}) {
    Told run = workers.begin();
    static_cast<void>(keep_all(run, 4));
    EXPECT_EQ(run.lose({2}, saved), (Assignment{2, saved, {1, 3}, {kNobody, kNobody}, {2}}));
  }
  Told run = workers.begin();
  static_cast<void>(keep_all(run, 4));
  EXPECT_EQ(run.lose({2}, 3), (Assignment{2, 4, {1, 3}, {1, 3}, {2}}));
}

TEST(Assignments, with_neither_begin_again_where_the_run_began) {
  const Fixture workers({1, 2}, 3, true, 5);
  Told run = workers.begin();
  EXPECT_EQ(run.lose({2}, 5), (Assignment{2, 5, {1, 3}, {kNobody, kNobody}, {2}}));
}

TEST(Assignments, survive_two_losses_in_a_row) {
  const Fixture workers({1, 2, 3}, 4);
  Told run = workers.begin();
  static_cast<void>(keep_all(run, 4));
  EXPECT_EQ(run.lose({2}, 0), (Assignment{2, 4, {1, 4, 3}, {1, 4, 3}, {2}}));
  EXPECT_EQ(run.lose({4}, 0), (Assignment{3, 4, {1, 1, 3}, {1, 3, 3}, {2, 4}}))
      << "before anybody has gone on";
}

TEST(Assignments, forget_what_was_made_beyond_where_cells_went_back_to) {
  const Fixture workers({1, 2, 3}, 4);
  Told run = workers.begin();
  static_cast<void>(keep_all(run, 4));
  run.held({1}, {1, {1}, 6});
  EXPECT_EQ(run.lose({4}, 0).start, 4U);
  run.held({1}, {2, {2}, 6});
  run.held({3}, {2, {0}, 6});
  EXPECT_EQ(run.lose({3}, 0).start, 4U) << "the copy of cell 1 was of another life";
}

TEST(Assignments, keep_copies_of_the_next_incarnation_safe_as_well) {
  const Fixture workers({1, 2, 3}, 3);
  Told run = workers.begin();
  EXPECT_THAT(keep_all(run, 4), Optional(4U));
  run.lose({2}, 0);
  EXPECT_EQ(keep_all(run, 4), std::nullopt) << "safe before, and still so";
  EXPECT_THAT(keep_all(run, 5), Optional(5U)) << "with one buddy each";
  EXPECT_THAT(run.lose({3}, 0), Eq(Assignment{3, 5, {1, 1, 1}, {1, 1, 1}, {2, 3}}));
}

TEST(Assignments, what_was_safe_is_not_where_host_and_buddies_are_lost) {
  const Fixture workers({1, 2}, 5);
  Told run = workers.begin();
  EXPECT_THAT(keep_all(run, 4), Optional(4U));
  EXPECT_EQ(run.lose({1}, 1).start, 4U);
  EXPECT_EQ(run.lose({2}, 1).start, 4U);
  EXPECT_EQ(run.lose({3}, 1).start, 1U) << "nobody has cell 0 any more";
  EXPECT_THAT(keep_all(run, 3), Optional(3U));
}

TEST(Assignments, cannot_lose_the_last_worker) {
  const Fixture workers({1, 2}, 3);
  Told run = workers.begin();
  EXPECT_TRUE(run.can_lose({1}));
  EXPECT_TRUE(run.can_lose({3})) << "a spare";
  run.lose({1}, 0);
  EXPECT_TRUE(run.can_lose({2}));
  run.lose({3}, 0);
  EXPECT_FALSE(run.can_lose({2}));
}

TEST(Assignments, who_only_slept_is_a_spare_from_the_next_incarnation_on) {
  const Fixture workers({1, 2, 3}, 3);
  Told run = workers.begin();
  run.lose({2}, 5);
  const Assignment its_own = run.take_back({2});
  EXPECT_THAT(its_own.source_of_cell, Not(Contains(2)));
  EXPECT_EQ(its_own, (Assignment{2, 5, {1, 1, 3}, {kNobody, kNobody, kNobody}, {}}));
  EXPECT_THAT(run.present().lost, ElementsAre(2)) << "for all others";
  EXPECT_THAT(run.members(), ElementsAre(Rank{1}, Rank{3}));
  EXPECT_TRUE(run.is_lost({2}));
  EXPECT_TRUE(run.has_returned({2}));
  run.lose({3}, 6);
  EXPECT_THAT(run.present().rank_of_cell, ElementsAre(1, 1, 2));
  EXPECT_THAT(run.lost(), ElementsAre(Rank{3}));
  EXPECT_FALSE(run.has_returned({2}));
}

TEST(Assignments, who_is_lost_once_more_is_no_spare) {
  const Fixture workers({1, 2, 3}, 3);
  Told run = workers.begin();
  run.lose({2}, 5);
  static_cast<void>(run.take_back({2}));
  run.lose_again({2});
  run.lose({3}, 6);
  EXPECT_THAT(run.present().rank_of_cell, ElementsAre(1, 1, 1));
  EXPECT_FALSE(run.can_lose({1}));
  static_cast<void>(run.take_back({3}));
  EXPECT_TRUE(run.can_lose({1}));
}

TEST(Assignments, cannot_lose_anybody_where_that_is_not_survived) {
  EXPECT_FALSE(Fixture({1, 2}, 3, false).begin().can_lose({1}));
}

TEST(Assignments, go_on_from_nothing_that_was_not_told) {
  const Fixture workers({1, 2, 3}, 3);
  Told run = workers.begin();
  Assignments& plain = run;
  keep_all(run, 4);
  for (const Rank buddy : {Rank{1}, Rank{2}, Rank{3}}) {
    for (std::uint32_t cell = 0; cell < 3; ++cell) plain.held(buddy, {1, {cell}, 5});
  }
  EXPECT_EQ(plain.newly_stable(4), std::nullopt);
  EXPECT_EQ(plain.begin_incarnation_without({2}, 0, 4).start, 4U);
}

TEST(Assignments, where_nobody_else_keeps_copies_what_all_have_told_is_stable) {
  const Fixture fixture({1, 2}, 2, false);
  Told run = fixture.begin();
  EXPECT_EQ(run.newly_stable(0), std::nullopt);
  EXPECT_EQ(run.newly_stable(4), 4U);
  EXPECT_EQ(run.newly_stable(4), std::nullopt) << "once";
  EXPECT_EQ(run.newly_stable(5), 5U);
}

TEST(Assignments, and_so_it_is_where_one_worker_alone_is_left) {
  const Fixture fixture({1, 2}, 2);
  Told run = fixture.begin();
  keep_all(run, 3);
  Assignments& plain = run;
  EXPECT_EQ(plain.begin_incarnation_without({2}, 0, 4).start, 3U);
  EXPECT_EQ(run.newly_stable(4), std::nullopt) << "it begins with its copies of generation 3";
  EXPECT_EQ(run.newly_stable(5), 5U);
}

TEST(Assignments, cells_that_move_go_on_from_the_copies_of_their_workers) {
  const Fixture workers({1, 2, 2}, 3);
  Told assignments = workers.begin();
  assignments.begin_incarnation_on({1, 2, 1}, 5);
  const Assignment& next = assignments.present();
  EXPECT_EQ(next.incarnation, 2U);
  EXPECT_EQ(next.start, 5U);
  EXPECT_THAT(next.rank_of_cell, ElementsAre(1, 2, 1));
  EXPECT_THAT(next.source_of_cell, ElementsAre(1, 2, 2));
  EXPECT_TRUE(next.lost.empty());
  EXPECT_FALSE(assignments.has_begun({1}));
}

TEST(Assignments, a_worker_that_has_returned_may_get_cells_that_move) {
  const Fixture workers({1, 2}, 3);
  Told assignments = workers.begin();
  assignments.lose({1}, 0);
  assignments.take_back({1});
  assignments.begin_incarnation_on({1, 2}, 5);
  EXPECT_FALSE(assignments.is_lost({1}));
  EXPECT_TRUE(assignments.present().lost.empty());
  EXPECT_TRUE(assignments.is_active({1}));
  EXPECT_FALSE(assignments.is_active({3}));
}

TEST(Assignments, a_run_that_ends_early_goes_back_to_its_end_where_it_is) {
  const Fixture workers({1, 2, 1}, 3);
  Told assignments = workers.begin();
  assignments.end_at(7);
  const Assignment& next = assignments.present();
  EXPECT_EQ(next.incarnation, 2U);
  EXPECT_EQ(next.start, 7U);
  EXPECT_EQ(next.last, 7U);
  EXPECT_THAT(next.rank_of_cell, ElementsAre(1, 2, 1));
  EXPECT_EQ(next.source_of_cell, next.rank_of_cell) << "each from its own worker's copies";
}

TEST(Assignments, where_all_begin_at_the_end_nothing_is_assigned_anew) {
  const Fixture workers({1, 2}, 2, true, 7);
  Told assignments = workers.begin();
  const Assignment before = assignments.present();
  assignments.end_at(7);
  EXPECT_EQ(assignments.present().incarnation, before.incarnation);
  EXPECT_EQ(assignments.present().source_of_cell, before.source_of_cell);
  EXPECT_EQ(assignments.present().last, 7U);
}

TEST(Assignments, a_run_that_ends_early_ends_there_after_a_loss_too) {
  const Fixture workers({1, 2}, 3);
  Told assignments = workers.begin();
  assignments.end_at(7);
  EXPECT_EQ(assignments.lose({2}, 0).last, 7U);
}

// Workers 1, 3 and 5, a spare, each with a helper.
Fixture with_helpers() {
  Fixture workers({1, 3}, 6);
  workers.run_plan.ranks_per_cell = 2;
  return workers;
}

TEST(Assignments, are_told_to_helpers_too) {
  Fixture workers = with_helpers();
  EXPECT_THAT(workers.begin().members(),
              ElementsAre(Rank{1}, Rank{2}, Rank{3}, Rank{4}, Rank{5}, Rank{6}));
  EXPECT_THAT(workers.begin().workers(), ElementsAre(Rank{1}, Rank{3}, Rank{5}));
  EXPECT_EQ(workers.begin().described({4}), "rank 4 on host4 (helps rank 3)");
  workers.run_plan.survives_losses = false;
  EXPECT_THAT(workers.begin().members(), ElementsAre(Rank{1}, Rank{2}, Rank{3}, Rank{4}));
}

TEST(Assignments, a_worker_goes_on_without_its_helper) {
  const Fixture workers = with_helpers();
  Told run = workers.begin();
  for (const int rank : {1, 2, 3}) run.begun({rank}, {1});
  EXPECT_FALSE(run.is_idle({6})) << "a helper may wait for what it was to open";
  run.begun({4}, {1});
  EXPECT_TRUE(run.can_lose({4}));
  EXPECT_FALSE(run.is_idle({4}));
  EXPECT_TRUE(run.is_idle({6})) << "that of a spare";
  const Assignment& next = run.lose({4}, 2);
  EXPECT_THAT(next.rank_of_cell, ElementsAre(1, 3));
  EXPECT_THAT(next.lost, ElementsAre(4));
  EXPECT_EQ(next.start, 2U);
}

TEST(Assignments, cells_move_to_a_worker_and_never_to_a_helper) {
  const Fixture workers = with_helpers();
  Told run = workers.begin();
  EXPECT_THAT(run.lose({1}, 2).rank_of_cell, ElementsAre(5, 3));
  EXPECT_THAT(run.lose({5}, 2).rank_of_cell, ElementsAre(3, 3));
  EXPECT_FALSE(run.can_lose({3})) << "helpers alone host nothing";
  EXPECT_TRUE(run.can_lose({4}));
  run.lose({4}, 2);
  run.take_back({4});
  EXPECT_FALSE(run.can_lose({3})) << "nor does one that has returned";
  run.take_back({5});
  EXPECT_TRUE(run.can_lose({3}));
}

TEST(Assignments, helpers_are_no_buddies) {
  const Fixture workers = with_helpers();
  Told run = workers.begin();
  run.held({3}, {1, {0}, 4});
  EXPECT_EQ(run.held({5}, {1, {0}, 4}), std::nullopt);
  run.held({5}, {1, {1}, 4});
  EXPECT_THAT(run.held({1}, {1, {1}, 4}), Optional(4U)) << "two each, of three workers";
}

}  // namespace
}  // namespace lipizz::master::assignments_test
