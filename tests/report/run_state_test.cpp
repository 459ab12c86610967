#include "report/run_state.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lipizz::report::run_state_test {
namespace {

using Kind = RunEvent::Kind;

RunEvent begun(double at_s, Generation from) {
  return {.kind = Kind::kBegun,
          .at_s = at_s,
          .generation = from,
          .generations = 100,
          .torus = {1, 2},
          .ranks = {.hosts = {"a", "a", "b"}}};
}

RunEvent passed(double at_s, Generation generation, std::uint32_t cell, double score) {
  return {.kind = Kind::kGeneration,
          .at_s = at_s,
          .generation = generation,
          .cell = {cell},
          .score = score};
}

class RunStateTest : public ::testing::Test {
 protected:
  RunStateTest() { take(begun(1000, 0), state_); }
  RunState state_;
};

TEST_F(RunStateTest, knows_the_run_from_its_beginning) {
  EXPECT_EQ(state_.torus, (grid::Torus{1, 2}));
  EXPECT_EQ(state_.generations, 100);
  EXPECT_EQ(state_.workers.n, 2);
  EXPECT_EQ(state_.cells.size(), 2);
  EXPECT_EQ(state_.phase, RunState::Phase::kSettingUp);
  take({.kind = Kind::kTraining, .at_s = 1001}, state_);
  EXPECT_EQ(state_.phase, RunState::Phase::kTraining);
}

TEST_F(RunStateTest, keeps_the_best_and_the_latest) {
  take(passed(1001, 1, 0, 9), state_);
  take(passed(1002, 2, 1, 5), state_);
  take(passed(1003, 3, 0, 6), state_);
  take(passed(1004, 4, 0, RunState::kNone), state_);
  EXPECT_EQ(state_.generation, 4);
  EXPECT_EQ(state_.improvements.back().score, 5);
  EXPECT_EQ(state_.improvements.back().cell, CellId{1});
  EXPECT_EQ(state_.latest->generation, 3);
}

TEST_F(RunStateTest, a_resume_forgets_what_it_does_not_go_on_from) {
  take(passed(1001, 1, 0, 9), state_);
  take(passed(1002, 2, 1, 5), state_);
  take({.kind = Kind::kLost, .rank = {1}}, state_);
  take({.kind = Kind::kScoring, .metric = "frechet", .floor = 0.5}, state_);
  take({.kind = Kind::kStopped, .text = "TERM"}, state_);
  take(begun(2000, 1), state_);
  EXPECT_EQ(state_.improvements.back().score, 9);
  EXPECT_EQ(state_.generation, 1);
  EXPECT_EQ(state_.scoring.metric, "frechet");
  EXPECT_TRUE(state_.workers.lost.empty());
  EXPECT_EQ(state_.phase, RunState::Phase::kSettingUp);
  EXPECT_EQ(state_.reason, "");
}

TEST_F(RunStateTest, a_cell_keeps_its_last_score) {
  take(CellId{1}, 1, 7, state_);
  take(CellId{1}, 2, RunState::kNone, state_);
  take(CellId{9}, 2, 1, state_);
  EXPECT_EQ(state_.cells[1].score, 7);
  EXPECT_EQ(state_.cells[1].generation, 2);
  EXPECT_TRUE(std::isnan(state_.cells[0].score));
}

TEST_F(RunStateTest, the_pace_is_that_of_the_last_twenty_generations) {
  take(passed(1010, 1, 0, 9), state_);
  EXPECT_FALSE(seconds_left(state_)) << "one alone bears the costs of the start";
  for (Generation g = 2; g <= 40; ++g) take(passed(1000 + 10.0 * g, g, 0, 9), state_);
  for (Generation g = 41; g <= 60; ++g) take(passed(1400 + 2.0 * (g - 40), g, 0, 9), state_);
  EXPECT_EQ(seconds_per_generation(state_), 2);
  EXPECT_EQ(seconds_left(state_), 80);
}

TEST_F(RunStateTest, workers_are_late_come_back_get_lost_and_return) {
  take({.kind = Kind::kLate, .at_s = 1010, .rank = {2}, .silent_s = 5}, state_);
  take({.kind = Kind::kLate, .at_s = 1010, .rank = {1}, .silent_s = 6}, state_);
  EXPECT_EQ(state_.workers.silent_since_s.at({2}), 1005);
  take({.kind = Kind::kBack, .at_s = 1011, .rank = {1}}, state_);
  take({.kind = Kind::kLost, .at_s = 1020, .rank = {2}}, state_);
  EXPECT_TRUE(state_.workers.silent_since_s.empty());
  EXPECT_TRUE(state_.workers.lost.contains({2}));
  take({.kind = Kind::kReturned, .at_s = 1030, .rank = {2}}, state_);
  EXPECT_TRUE(state_.workers.lost.empty());
  EXPECT_EQ(state_.times.last_s, 1030);
}

TEST_F(RunStateTest, knows_how_it_ended) {
  take({.kind = Kind::kFailed, .at_s = 1001, .text = "full"}, state_);
  EXPECT_EQ(state_.phase, RunState::Phase::kFailed);
  EXPECT_EQ(state_.reason, "full");
}

}  // namespace
}  // namespace lipizz::report::run_state_test
