#include "master/save_plan.hpp"

#include <gmock/gmock.h>

namespace lipizz::master {
namespace {

using comm::Directive;
using ::testing::Eq;
using ::testing::Optional;

constexpr Rank kA{1};
constexpr Rank kB{2};
constexpr Rank kC{3};
constexpr auto kNever = Directive::kNever;

// Four cells on two workers, saved every ten seconds from second 100 on.
constexpr SavePlan::Limits kLimits{
    .every_s = 10, .n_cells = 4, .n_workers = 2, .start = 0, .last = 100};

SavePlan::Limits with_workers(std::size_t n_workers) {
  SavePlan::Limits limits = kLimits;
  limits.n_workers = n_workers;
  return limits;
}

// Tells that every cell is saved; returns what the last of them completed.
std::optional<Generation> save_all(SavePlan& plan, Generation generation) {
  std::optional<Generation> completed;
  for (std::uint32_t cell = 0; cell < kLimits.n_cells; ++cell) {
    EXPECT_EQ(completed, std::nullopt);
    completed = plan.saved({cell}, generation);
  }
  return completed;
}

TEST(SavePlan, says_nothing_before_its_time) {
  SavePlan plan(kLimits, 100);
  EXPECT_EQ(plan.next_directive(100), std::nullopt);
  plan.reached(5);
  EXPECT_EQ(plan.next_directive(109.9), std::nullopt);
}

TEST(SavePlan, saves_ahead_of_the_foremost_cell_when_it_is_time) {
  SavePlan plan(kLimits, 100);
  plan.reached(7);
  plan.reached(4);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(Directive{9, kNever})));
  EXPECT_EQ(plan.next_directive(110), std::nullopt) << "once";
  plan.reached(8);
  EXPECT_EQ(plan.next_directive(119.9), std::nullopt);
  EXPECT_THAT(plan.next_directive(120), Optional(Eq(Directive{10, kNever})))
      << "whether the last one was ever saved or not";
}

TEST(SavePlan, counts_time_from_the_last_choice) {
  SavePlan plan(kLimits, 100);
  EXPECT_THAT(plan.next_directive(117), Optional(Eq(Directive{2, kNever})));
  plan.reached(1);
  EXPECT_EQ(plan.next_directive(126.9), std::nullopt);
  EXPECT_THAT(plan.next_directive(127), Optional(Eq(Directive{3, kNever})));
}

TEST(SavePlan, of_a_resumed_run_begins_where_that_stood) {
  SavePlan::Limits limits = kLimits;
  limits.start = 50;
  SavePlan plan(limits, 100);
  EXPECT_EQ(plan.newest_complete(), 50U);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(Directive{52, kNever})));
}

TEST(SavePlan, leaves_the_end_to_the_workers) {
  SavePlan plan(kLimits, 100);
  plan.reached(97);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(Directive{99, kNever})));
  plan.reached(98);
  EXPECT_EQ(plan.next_directive(1000), std::nullopt) << "the last generation is saved anyway";
  plan.reached(100);
  EXPECT_EQ(plan.next_directive(2000), std::nullopt);
}

TEST(SavePlan, does_not_choose_by_time_when_that_is_off) {
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
    EXPECT_EQ(plan.saved({cell}, 5), std::nullopt) << "a cell counts once";
  }
  EXPECT_EQ(plan.newest_complete(), 0U);
  EXPECT_THAT(plan.saved({2}, 5), Optional(5U));
  EXPECT_EQ(plan.newest_complete(), 5U);
  EXPECT_EQ(plan.saved({2}, 5), std::nullopt) << "it was complete before";
}

TEST(SavePlan, generations_complete_in_any_order_and_the_newest_counts) {
  SavePlan plan(kLimits, 100);
  for (std::uint32_t cell = 0; cell < 3; ++cell) {
    EXPECT_EQ(plan.saved({cell}, 5), std::nullopt);
    EXPECT_EQ(plan.saved({cell}, 8), std::nullopt);
    EXPECT_EQ(plan.saved({cell}, 9), std::nullopt);
  }
  EXPECT_THAT(plan.saved({3}, 8), Optional(8U));
  EXPECT_EQ(plan.saved({3}, 5), std::nullopt) << "older than what there is";
  EXPECT_EQ(plan.newest_complete(), 8U);
  EXPECT_THAT(plan.saved({3}, 9), Optional(9U));
  EXPECT_EQ(save_all(plan, 7), std::nullopt);
  EXPECT_EQ(plan.newest_complete(), 9U);
}

TEST(SavePlan, to_stop_holds_from_the_generation_after_the_foremost) {
  SavePlan plan(kLimits, 100);
  plan.reached(7);
  plan.stop();
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 8})));
  plan.reached(9);  // was already beyond
  plan.stop();      // said again
  EXPECT_EQ(plan.next_directive(100), std::nullopt);
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
}

TEST(SavePlan, chooses_nothing_to_save_while_stopping) {
  SavePlan plan(kLimits, 100);
  plan.reached(7);
  plan.stop();
  EXPECT_THAT(plan.next_directive(1000), Optional(Eq(Directive{kNever, 8})));
  EXPECT_EQ(plan.next_directive(2000), std::nullopt);
}

TEST(SavePlan, what_was_to_be_saved_still_is_when_a_stop_comes) {
  SavePlan plan(kLimits, 100);
  plan.reached(7);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(Directive{9, kNever})));
  plan.stop();
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(Directive{9, 8})));
}

TEST(SavePlan, ends_where_all_hold_and_all_is_saved) {
  SavePlan plan(kLimits, 100);
  plan.reached(7);
  plan.stop();
  static_cast<void>(plan.next_directive(100));
  plan.paused(kA, 8);
  EXPECT_EQ(plan.next_directive(100), std::nullopt) << "the other one is not there yet";
  plan.paused(kB, 8);
  EXPECT_EQ(plan.next_directive(100), std::nullopt) << "all stand where they should";
  EXPECT_EQ(plan.stopped_at(), std::nullopt) << "nothing is saved";
  EXPECT_THAT(save_all(plan, 8), Optional(8U));
  EXPECT_THAT(plan.stopped_at(), Optional(8U));
}

TEST(SavePlan, ends_as_well_when_cells_are_saved_before_all_hold) {
  SavePlan plan(kLimits, 100);
  plan.reached(7);
  plan.stop();
  static_cast<void>(plan.next_directive(100));
  EXPECT_THAT(save_all(plan, 8), Optional(8U));
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  plan.paused(kB, 8);
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  plan.paused(kA, 8);
  EXPECT_THAT(plan.stopped_at(), Optional(8U));
}

TEST(SavePlan, sends_those_behind_on_to_the_foremost) {
  SavePlan plan(with_workers(3), 100);
  plan.reached(7);
  plan.stop();
  static_cast<void>(plan.next_directive(100));
  plan.paused(kA, 8);
  plan.paused(kC, 10);
  EXPECT_EQ(plan.next_directive(100), std::nullopt);
  plan.paused(kB, 9);
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 10})));
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  plan.paused(kB, 10);
  EXPECT_EQ(plan.next_directive(100), std::nullopt);
  static_cast<void>(save_all(plan, 10));
  EXPECT_EQ(plan.stopped_at(), std::nullopt) << "one is still on its way";
  plan.paused(kA, 10);
  EXPECT_EQ(plan.next_directive(100), std::nullopt);
  EXPECT_THAT(plan.stopped_at(), Optional(10U));
}

TEST(SavePlan, is_not_stopped_by_an_older_generation_that_is_saved) {
  SavePlan plan(kLimits, 100);
  plan.reached(7);
  plan.stop();
  static_cast<void>(plan.next_directive(100));
  plan.paused(kA, 8);
  plan.paused(kB, 9);
  static_cast<void>(save_all(plan, 8));
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  static_cast<void>(plan.next_directive(100));
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  plan.paused(kA, 9);
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  static_cast<void>(save_all(plan, 9));
  EXPECT_THAT(plan.stopped_at(), Optional(9U));
}

TEST(SavePlan, holds_without_a_stop_mean_nothing) {
  SavePlan plan(kLimits, 100);
  plan.paused(kA, 8);
  plan.paused(kB, 8);
  static_cast<void>(save_all(plan, 8));
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  EXPECT_EQ(plan.next_directive(100), std::nullopt);
}

TEST(SavePlan, lets_go_when_somebody_stands_at_the_very_end) {
  SavePlan plan(kLimits, 100);
  plan.reached(99);
  plan.stop();
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 100})));
  plan.paused(kA, 99);
  plan.paused(kB, 100);
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{})));
  plan.paused(kA, 100);
  static_cast<void>(save_all(plan, 100));
  EXPECT_EQ(plan.stopped_at(), std::nullopt) << "it has come to its end, not to a stop";
  EXPECT_EQ(plan.next_directive(100), std::nullopt);
}

TEST(SavePlan, a_worker_that_had_finished_before_the_stop_lets_the_others_finish) {
  SavePlan plan(kLimits, 100);
  plan.reached(100);
  plan.paused(kA, 100);
  plan.stop();
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 101})))
      << "which holds nobody: there is no such generation";
  plan.paused(kB, 100);
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{})));
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
}

TEST(SavePlan, stops_a_run_that_has_hardly_begun) {
  SavePlan::Limits limits = kLimits;
  limits.start = 50;
  SavePlan plan(limits, 100);
  plan.stop();
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 51})));
  plan.paused(kA, 51);
  plan.paused(kB, 51);
  EXPECT_EQ(plan.stopped_at(), std::nullopt) << "that generation 50 was saved is not enough";
  static_cast<void>(save_all(plan, 51));
  EXPECT_THAT(plan.stopped_at(), Optional(51U));
}

TEST(SavePlan, tells_its_course_again_to_those_who_go_back) {
  SavePlan plan(kLimits, 100);
  plan.reached(7);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(Directive{9, kNever})));
  plan.go_back(6, 2);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(Directive{9, kNever})));
  EXPECT_EQ(plan.next_directive(110), std::nullopt) << "once";
}

TEST(SavePlan, without_a_course_has_nothing_to_tell_them) {
  SavePlan plan(kLimits, 100);
  plan.reached(7);
  plan.go_back(6, 2);
  EXPECT_EQ(plan.next_directive(100), std::nullopt);
}

TEST(SavePlan, saves_ahead_of_where_cells_went_back_to) {
  SavePlan plan(kLimits, 100);
  plan.reached(70);
  plan.go_back(6, 2);
  EXPECT_THAT(plan.next_directive(110), Optional(Eq(Directive{8, kNever})));
}

TEST(SavePlan, what_lies_beyond_where_cells_went_back_to_is_saved_anew) {
  SavePlan plan(kLimits, 100);
  static_cast<void>(save_all(plan, 5));
  EXPECT_EQ(plan.saved({1}, 8), std::nullopt);
  plan.go_back(6, 2);
  EXPECT_EQ(plan.newest_complete(), 5U);
  for (const std::uint32_t cell : {0U, 2U, 3U}) EXPECT_EQ(plan.saved({cell}, 8), std::nullopt);
  EXPECT_THAT(plan.saved({1}, 8), Optional(8U));
}

TEST(SavePlan, going_back_while_stopping_they_hold_anew) {
  SavePlan plan(with_workers(3), 100);
  plan.reached(7);
  plan.stop();
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 8})));
  plan.paused(kA, 8);
  plan.paused(kB, 8);
  static_cast<void>(save_all(plan, 8));
  plan.go_back(8, 2);  // the third is lost, and its cells live with the others
  EXPECT_EQ(plan.stopped_at(), std::nullopt) << "two held, but not with these cells";
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 8})));
  plan.paused(kB, 8);
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  plan.paused(kA, 8);
  EXPECT_EQ(plan.next_directive(100), std::nullopt);
  EXPECT_THAT(plan.stopped_at(), Optional(8U));
}

TEST(SavePlan, waits_for_as_many_as_train_after_going_back) {
  SavePlan plan(kLimits, 100);
  plan.go_back(6, 3);  // a cell went to a spare
  plan.stop();
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 7})));
  plan.paused(kA, 7);
  plan.paused(kB, 7);
  static_cast<void>(save_all(plan, 7));
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  plan.paused(kC, 7);
  EXPECT_THAT(plan.stopped_at(), Optional(7U));
}

// Cells may be any number of generations apart.
SavePlan::Limits asynchronous() {
  SavePlan::Limits limits = kLimits;
  limits.last = 10'000;
  limits.is_asynchronous = true;
  return limits;
}

// Every ten seconds the foremost three cells come ten generations further, and save what is
// chosen.
std::vector<Generation> run_ahead(SavePlan& plan, int n_times) {
  std::vector<Generation> chosen;
  for (int i = 1; i <= n_times; ++i) {
    plan.reached(10 * i);
    const auto directive = plan.next_directive(100 + 10 * i);
    if (!directive) continue;
    chosen.push_back(directive->save_at);
    for (const std::uint32_t cell : {0U, 1U, 2U}) plan.saved({cell}, directive->save_at);
  }
  return chosen;
}

TEST(SavePlan, completes_each_chosen_generation_when_a_slow_cell_comes_there) {
  SavePlan plan(asynchronous(), 100);
  EXPECT_THAT(run_ahead(plan, 3), testing::ElementsAre(12, 22, 32));
  EXPECT_THAT(plan.saved({3}, 12), Optional(12U));
  EXPECT_THAT(plan.saved({3}, 22), Optional(22U));
}

TEST(SavePlan, chooses_no_more_when_many_chosen_generations_wait_for_a_slow_cell) {
  SavePlan plan(asynchronous(), 100);
  EXPECT_THAT(run_ahead(plan, 100), testing::SizeIs(16));
  plan.all_reached(12);
  EXPECT_THAT(plan.saved({3}, 12), Optional(12U));
  EXPECT_THAT(plan.next_directive(2000), Optional(Eq(Directive{1002, kNever})));
}

TEST(SavePlan, does_not_wait_for_what_somebody_has_missed) {
  SavePlan plan(asynchronous(), 100);
  EXPECT_THAT(run_ahead(plan, 100), testing::SizeIs(16));
  plan.all_reached(500);
  EXPECT_THAT(plan.next_directive(2000), Optional(Eq(Directive{1002, kNever})));
}

TEST(SavePlan, to_stop_lets_a_slow_cell_come_to_what_the_others_have_saved) {
  SavePlan plan(asynchronous(), 100);
  run_ahead(plan, 3);
  plan.all_reached(15);
  static_cast<void>(plan.saved({3}, 12));
  plan.stop();
  EXPECT_THAT(plan.next_directive(200), Optional(Eq(Directive{32, 22})));
  EXPECT_EQ(plan.stopped_at(), std::nullopt);
  plan.paused(kA, 34);
  EXPECT_THAT(plan.saved({3}, 22), Optional(22U));
  EXPECT_THAT(plan.stopped_at(), Optional(22U)) << "whoever is beyond has saved it before";
}

TEST(SavePlan, having_gone_back_looks_from_there_for_what_a_slow_cell_comes_to) {
  SavePlan plan(asynchronous(), 100);
  plan.reached(600);
  plan.all_reached(500);
  plan.go_back(20, 2);
  plan.reached(40);
  static_cast<void>(plan.saved({0}, 30));
  plan.stop();
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 30})));
}

TEST(SavePlan, to_stop_brings_a_slow_cell_to_the_foremost_where_nothing_else_is_saved) {
  SavePlan plan(asynchronous(), 100);
  plan.reached(300);
  plan.all_reached(20);
  plan.stop();
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 301})));
  plan.paused(kA, 302);
  plan.paused(kB, 301);
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 302})));
  EXPECT_THAT(save_all(plan, 302), Optional(302U));
  EXPECT_THAT(plan.stopped_at(), Optional(302U));
}

TEST(SavePlan, to_stop_goes_on_to_the_foremost_where_somebody_has_missed_what_others_saved) {
  SavePlan plan(asynchronous(), 100);
  plan.reached(40);
  static_cast<void>(plan.saved({0}, 30));
  plan.stop();
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 30})));
  plan.paused(kA, 41);
  plan.paused(kB, 30);
  EXPECT_THAT(plan.next_directive(100), Optional(Eq(Directive{kNever, 41})));
  EXPECT_THAT(save_all(plan, 41), Optional(41U));
  EXPECT_THAT(plan.stopped_at(), Optional(41U));
}

}  // namespace
}  // namespace lipizz::master
