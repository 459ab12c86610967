#include "master/save_plan.hpp"

#include <gmock/gmock.h>

namespace lipizz::master::save_plan_test {
namespace {

using comm::Directive;
using ::testing::Eq;
using ::testing::Optional;

constexpr Rank kA{1};
constexpr Rank kB{2};
constexpr Rank kC{3};
constexpr auto kNever = Directive::kNever;
constexpr Directive kLeave{.course = Directive::Course::kLeave};

// Four cells on two workers, saved at least every sixty seconds from second 100 on.
constexpr SavePlan::Limits kLimits{
    .every_s = 60, .n_cells = 4, .n_workers = 2, .start = 0, .last = 100};

SavePlan::Limits with_workers(std::size_t n_workers) {
  SavePlan::Limits limits = kLimits;
  limits.n_workers = n_workers;
  return limits;
}

Directive save_at(Generation generation) {
  return {.save_at = generation};
}

Directive save_from(Generation generation) {
  return {.save_from = generation};
}

// Tells that every cell is saved; returns what the last of them completed.
std::optional<Generation> save_all(SavePlan& plan, Generation generation, double seconds = 0.1) {
  std::optional<Generation> completed;
  for (std::uint32_t cell = 0; cell < kLimits.n_cells; ++cell) {
    EXPECT_EQ(completed, std::nullopt);
    completed = plan.saved({cell}, generation, seconds);
  }
  return completed;
}

// A plan that has seen a first generation of so many seconds, and said what follows from it.
SavePlan after_a_generation_of(double seconds, SavePlan::Limits limits = kLimits) {
  SavePlan plan(limits, 100);
  static_cast<void>(plan.next_directive(100));
  plan.reached(limits.start + 1);
  plan.all_reached(limits.start + 1, 100 + seconds);
  static_cast<void>(plan.next_directive(100 + seconds));
  return plan;
}

TEST(SavePlan, saves_every_generation_while_it_does_not_know_how_long_they_take) {
  SavePlan plan(kLimits, 100);
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(save_from(1))));
  EXPECT_EQ(plan.next_directive(100), std::nullopt) << "once";
}

TEST(SavePlan, saves_every_generation_that_takes_longer_than_a_save) {
  SavePlan plan(kLimits, 100);
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(save_from(1))));
  plan.all_reached(1, 130);
  save_all(plan, 1, 29);
  EXPECT_EQ(plan.next_directive(130), std::nullopt) << "it is what they do";
  plan.reached(2);
  save_all(plan, 2, 31);
  EXPECT_THAT(plan.next_directive(160), Optional(Eq(save_at(4)))) << "by time, from now on";
  plan.reached(5);
  save_all(plan, 4, 3);
  EXPECT_THAT(plan.next_directive(161), Optional(Eq(Directive{.save_at = 4, .save_from = 6})))
      << "the disk is quick again";
}

TEST(SavePlan, short_generations_are_saved_by_time_ahead_of_the_foremost_cell) {
  SavePlan plan = after_a_generation_of(0.1);
  plan.reached(7);
  plan.reached(4);
  EXPECT_EQ(plan.next_directive(104.9), std::nullopt);
  EXPECT_THAT(plan.next_directive(105), Optional(Eq(save_at(9))));
  EXPECT_EQ(plan.next_directive(105), std::nullopt) << "once";
  plan.reached(8);
  EXPECT_EQ(plan.next_directive(109.9), std::nullopt);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(save_at(10))))
      << "whether the last one was ever saved or not";
}

TEST(SavePlan, saving_by_time_takes_a_twentieth_of_it) {
  SavePlan plan = after_a_generation_of(0.1);
  save_all(plan, 1, 2);
  EXPECT_EQ(plan.next_directive(139.9), std::nullopt);
  EXPECT_THAT(plan.next_directive(140), Optional(Eq(save_at(3))));
}

TEST(SavePlan, but_is_never_later_than_it_is_asked_to) {
  SavePlan plan = after_a_generation_of(0.1);
  save_all(plan, 1, 10);
  EXPECT_EQ(plan.next_directive(159.9), std::nullopt);
  EXPECT_THAT(plan.next_directive(160), Optional(Eq(save_at(3))));
  SavePlan::Limits often = kLimits;
  often.every_s = 1;
  SavePlan hasty = after_a_generation_of(0.1, often);
  EXPECT_THAT(hasty.next_directive(101), Optional(Eq(save_at(3))));
}

TEST(SavePlan, of_a_resumed_run_begins_where_that_stood) {
  SavePlan::Limits limits = kLimits;
  limits.start = 50;
  SavePlan plan(limits, 100);
  EXPECT_EQ(plan.newest_complete(), 50U);
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(save_from(51))));
  EXPECT_THAT(after_a_generation_of(0.1, limits).next_directive(105), Optional(Eq(save_at(53))));
}

TEST(SavePlan, leaves_the_end_to_the_workers) {
  SavePlan plan = after_a_generation_of(0.1);
  plan.reached(97);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(save_at(99))));
  plan.reached(98);
  EXPECT_EQ(plan.next_directive(1000), std::nullopt) << "the last generation is saved anyway";
  plan.reached(100);
  EXPECT_EQ(plan.next_directive(2000), std::nullopt);
}

TEST(SavePlan, chooses_nothing_when_that_is_off) {
  SavePlan::Limits limits = kLimits;
  limits.every_s = 0;
  SavePlan plan(limits, 100);
  plan.reached(3);
  EXPECT_EQ(plan.next_directive(1e9), std::nullopt);
}

TEST(SavePlan, a_generation_is_complete_when_its_last_cell_is_saved) {
  SavePlan plan(kLimits, 100);
  EXPECT_EQ(plan.newest_complete(), 0U);
  for (const std::uint32_t cell : {3U, 0U, 3U, 1U}) {
    EXPECT_EQ(plan.saved({cell}, 5, 0), std::nullopt) << "a cell counts once";
  }
  EXPECT_EQ(plan.newest_complete(), 0U);
  EXPECT_THAT(plan.saved({2}, 5, 0), Optional(5U));
  EXPECT_EQ(plan.newest_complete(), 5U);
  EXPECT_EQ(plan.saved({2}, 5, 0), std::nullopt) << "it was complete before";
}

TEST(SavePlan, generations_complete_in_any_order_and_the_newest_counts) {
  SavePlan plan(kLimits, 100);
  for (std::uint32_t cell = 0; cell < 3; ++cell) {
    EXPECT_EQ(plan.saved({cell}, 5, 0), std::nullopt);
    EXPECT_EQ(plan.saved({cell}, 8, 0), std::nullopt);
    EXPECT_EQ(plan.saved({cell}, 9, 0), std::nullopt);
  }
  EXPECT_THAT(plan.saved({3}, 8, 0), Optional(8U));
  EXPECT_EQ(plan.saved({3}, 5, 0), std::nullopt) << "older than what there is";
  EXPECT_EQ(plan.newest_complete(), 8U);
  EXPECT_THAT(plan.saved({3}, 9, 0), Optional(9U));
  EXPECT_EQ(save_all(plan, 7), std::nullopt);
  EXPECT_EQ(plan.newest_complete(), 9U);
}

TEST(SavePlan, knows_how_long_the_slowest_save_of_the_newest_generation_took) {
  SavePlan plan(kLimits, 100);
  EXPECT_EQ(plan.seconds_per_save(), 0);
  static_cast<void>(plan.saved({0}, 5, 2));
  static_cast<void>(plan.saved({1}, 5, 7));
  static_cast<void>(plan.saved({2}, 5, 3));
  EXPECT_EQ(plan.seconds_per_save(), 7);
  static_cast<void>(plan.saved({0}, 6, 1));
  static_cast<void>(plan.saved({3}, 5, 9));
  EXPECT_EQ(plan.seconds_per_save(), 1);
}

TEST(SavePlan, a_stop_tells_all_to_leave_and_chooses_nothing_more) {
  SavePlan plan = after_a_generation_of(0.1);
  plan.reached(7);
  plan.stop();
  EXPECT_THAT(plan.next_directive(1000), Optional(Eq(kLeave)));
  plan.reached(9);
  plan.stop();  // said again
  EXPECT_EQ(plan.next_directive(2000), std::nullopt);
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
}

TEST(SavePlan, what_was_to_be_saved_still_is_when_a_stop_comes) {
  SavePlan plan = after_a_generation_of(0.1);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(save_at(3))));
  plan.stop();
  EXPECT_THAT(plan.next_directive(110),
              Optional(Eq(Directive{.save_at = 3, .course = Directive::Course::kLeave})));
}

TEST(SavePlan, ends_at_the_newest_complete_generation_once_all_have_saved_what_they_held) {
  SavePlan plan(kLimits, 100);
  plan.reached(9);
  plan.stop();
  static_cast<void>(plan.next_directive(100));
  plan.flushed(kA);
  EXPECT_THAT(save_all(plan, 7), Optional(7U));
  EXPECT_EQ(plan.stopped_at(), std::nullopt) << "the other one may have more";
  EXPECT_THAT(save_all(plan, 8), Optional(8U));
  EXPECT_EQ(plan.saved({0}, 9, 0), std::nullopt);
  plan.flushed(kB);
  EXPECT_THAT(plan.stopped_at(), Optional(8U));
}

TEST(SavePlan, stops_a_run_that_has_saved_nothing_where_it_began) {
  SavePlan::Limits limits = kLimits;
  limits.start = 50;
  SavePlan plan(limits, 100);
  plan.stop();
  plan.flushed(kA);
  plan.flushed(kB);
  EXPECT_THAT(plan.stopped_at(), Optional(50U));
}

TEST(SavePlan, stops_at_the_very_end_too_before_the_last_files_are_there) {
  SavePlan plan(kLimits, 100);
  plan.reached(100);
  static_cast<void>(save_all(plan, 100));
  plan.stop();
  plan.flushed(kA);
  plan.flushed(kB);
  EXPECT_THAT(plan.stopped_at(), Optional(100U));
}

TEST(SavePlan, what_somebody_saved_of_its_own_accord_before_the_stop_means_nothing) {
  SavePlan plan(kLimits, 100);
  plan.flushed(kA);
  plan.flushed(kB);
  static_cast<void>(save_all(plan, 8));
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  plan.stop();
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
}

TEST(SavePlan, tells_its_course_again_to_those_who_go_back) {
  SavePlan plan = after_a_generation_of(0.1);
  plan.reached(7);
  EXPECT_THAT(plan.next_directive(105), Optional(Eq(save_at(9))));
  plan.go_back(6, 2, 107);
  EXPECT_THAT(plan.next_directive(107), Optional(Eq(save_at(9))));
  EXPECT_EQ(plan.next_directive(107), std::nullopt) << "once";
}

TEST(SavePlan, without_a_course_has_nothing_to_tell_them) {
  SavePlan plan = after_a_generation_of(0.1);
  plan.reached(7);
  plan.go_back(6, 2, 101);
  EXPECT_EQ(plan.next_directive(101), std::nullopt);
}

TEST(SavePlan, saves_ahead_of_where_cells_went_back_to) {
  SavePlan plan = after_a_generation_of(0.1);
  plan.reached(70);
  plan.go_back(6, 2, 101);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(save_at(8))));
}

TEST(SavePlan, the_time_that_a_loss_costs_is_no_generation) {
  SavePlan plan = after_a_generation_of(0.1);
  plan.go_back(6, 2, 104);
  plan.all_reached(7, 104.1);
  EXPECT_EQ(plan.next_directive(104.1), std::nullopt);
}

TEST(SavePlan, what_lies_beyond_where_cells_went_back_to_is_saved_anew) {
  SavePlan plan(kLimits, 100);
  static_cast<void>(save_all(plan, 5));
  EXPECT_EQ(plan.saved({1}, 8, 0), std::nullopt);
  plan.go_back(6, 2, 100);
  EXPECT_EQ(plan.newest_complete(), 5U);
  for (const std::uint32_t cell : {0U, 2U, 3U}) EXPECT_EQ(plan.saved({cell}, 8, 0), std::nullopt);
  EXPECT_THAT(plan.saved({1}, 8, 0), Optional(8U));
}

TEST(SavePlan, going_back_while_stopping_they_save_anew) {
  SavePlan plan(with_workers(3), 100);
  plan.reached(7);
  plan.stop();
  static_cast<void>(plan.next_directive(100));
  plan.flushed(kA);
  plan.flushed(kB);
  static_cast<void>(save_all(plan, 8));
  plan.go_back(8, 2, 100);  // the third is lost, and its cells live with the others
  EXPECT_EQ(plan.stopped_at(), std::nullopt) << "two had saved, but not these cells";
  ASSERT_TRUE(plan.next_directive(100));
  plan.flushed(kB);
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  plan.flushed(kA);
  EXPECT_THAT(plan.stopped_at(), Optional(8U));
}

TEST(SavePlan, waits_for_as_many_as_train_after_going_back) {
  SavePlan plan(kLimits, 100);
  plan.go_back(6, 3, 100);  // a cell went to a spare
  plan.stop();
  plan.flushed(kA);
  plan.flushed(kB);
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  plan.flushed(kC);
  EXPECT_THAT(plan.stopped_at(), Optional(0U));
}

// With an asynchronous exchange cells may be any number of generations apart. Every ten seconds
// the foremost three come ten generations further, and save what is chosen.
SavePlan::Limits asynchronous() {
  SavePlan::Limits limits = kLimits;
  limits.last = 10'000;
  return limits;
}

std::vector<Generation> run_ahead(SavePlan& plan, int n_times) {
  std::vector<Generation> chosen;
  for (int i = 1; i <= n_times; ++i) {
    plan.reached(10 * i);
    const auto directive = plan.next_directive(100 + 10 * i);
    if (!directive) continue;
    chosen.push_back(directive->save_at);
    for (const std::uint32_t cell : {0U, 1U, 2U}) plan.saved({cell}, directive->save_at, 0.1);
  }
  return chosen;
}

TEST(SavePlan, completes_each_chosen_generation_when_a_slow_cell_comes_there) {
  SavePlan plan = after_a_generation_of(0.1, asynchronous());
  EXPECT_THAT(run_ahead(plan, 3), ::testing::ElementsAre(12, 22, 32));
  EXPECT_THAT(plan.saved({3}, 12, 0), Optional(12U));
  EXPECT_THAT(plan.saved({3}, 22, 0), Optional(22U));
}

TEST(SavePlan, chooses_no_more_when_many_chosen_generations_wait_for_a_slow_cell) {
  SavePlan plan = after_a_generation_of(0.1, asynchronous());
  EXPECT_THAT(run_ahead(plan, 100), ::testing::SizeIs(16));
  plan.all_reached(12, 100.2);
  EXPECT_THAT(plan.saved({3}, 12, 0), Optional(12U));
  EXPECT_THAT(plan.next_directive(2000), Optional(Eq(save_at(1002))));
}

TEST(SavePlan, saves_no_more_of_long_generations_when_many_wait_for_a_slow_cell) {
  SavePlan plan = after_a_generation_of(30, asynchronous());
  for (Generation generation = 2; generation <= 17; ++generation) {
    plan.reached(generation);
    EXPECT_EQ(plan.next_directive(200), std::nullopt);
    for (const std::uint32_t cell : {0U, 1U, 2U}) plan.saved({cell}, generation, 0.1);
  }
  EXPECT_THAT(plan.next_directive(200), Optional(Eq(Directive{})));
  plan.all_reached(2, 230);
  EXPECT_THAT(plan.next_directive(230), Optional(Eq(save_from(18))));
}

TEST(SavePlan, does_not_wait_for_what_somebody_has_missed) {
  SavePlan plan = after_a_generation_of(0.1, asynchronous());
  EXPECT_THAT(run_ahead(plan, 100), ::testing::SizeIs(16));
  plan.all_reached(500, 100.2);
  EXPECT_THAT(plan.next_directive(2000), Optional(Eq(save_at(1002))));
}

}  // namespace
}  // namespace lipizz::master::save_plan_test
