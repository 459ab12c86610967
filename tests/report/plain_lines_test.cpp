#include "report/plain_lines.hpp"

#include <gtest/gtest.h>

namespace lipizz::report::plain_lines_test {
namespace {

using Kind = RunEvent::Kind;

RunState begun(Generation generations) {
  RunState state;
  take({.kind = Kind::kBegun, .generations = generations, .torus = {2, 2}}, state);
  take({.kind = Kind::kScoring, .metric = "toy", .floor = 0.25}, state);
  return state;
}

void pass(RunState& state, double at_s, Generation generation, std::uint32_t cell, double score) {
  take({.kind = Kind::kGeneration,
        .at_s = at_s,
        .generation = generation,
        .cell = {cell},
        .score = score},
       state);
}

TEST(PlainLines, are_few) {
  RunState state = begun(1000);
  int n_lines = 0;
  for (Generation generation = 1; generation <= 1000; ++generation) {
    pass(state, generation, generation, 3, 0.5);
    n_lines += progress_line(state) ? 1 : 0;
  }
  EXPECT_EQ(n_lines, 21);
}

TEST(PlainLines, tell_the_floor_and_the_time_left) {
  RunState state = begun(11);
  pass(state, 30, 1, 0, 8);
  EXPECT_EQ(progress_line(state), "generation 1/11  best toy 8 (real samples 0.25)  cell (0, 0)");
  pass(state, 32, 2, 1, 4);
  EXPECT_EQ(progress_line(state),
            "generation 2/11  best toy 4 (real samples 0.25)  cell (0, 1)  18 s left");
  pass(state, 52, 11, 1, 2);
  EXPECT_EQ(progress_line(state), "generation 11/11  best toy 2 (real samples 0.25)  cell (0, 1)");
}

TEST(PlainLines, a_generation_without_a_score_says_so) {
  RunState state = begun(3);
  pass(state, 1, 1, 0, 8);
  pass(state, 2, 2, 0, RunState::kNone);
  EXPECT_EQ(progress_line(state), "generation 2/3  no score  1 s left");
}

TEST(PlainLines, name_workers_and_their_hosts) {
  const std::vector<std::string> hosts{"a", "node1"};
  EXPECT_EQ(news({.kind = Kind::kLate, .rank = {1}, .silent_s = 5.2}, hosts),
            "rank 1 on node1 is late: silent for 5.2 s");
  EXPECT_EQ(news({.kind = Kind::kLost, .rank = {2}}, hosts), "rank 2 is lost");
  EXPECT_EQ(news({.kind = Kind::kStopped, .text = "signal TERM"}, hosts), "stopped: signal TERM");
  EXPECT_FALSE(news({.kind = Kind::kSaved, .generation = 3}, hosts));
}

}  // namespace
}  // namespace lipizz::report::plain_lines_test
