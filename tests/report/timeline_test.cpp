#include "report/timeline.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lipizz::report::timeline_test {
namespace {

using Kind = RunEvent::Kind;
using State = Timeline::State;

RunEvent event_of(Kind kind, double at_s) {
  RunEvent event;
  event.kind = kind;
  event.at_s = at_s;
  return event;
}

RunEvent begun(double at_s, std::size_t n_ranks, Generation generation = 0) {
  RunEvent event = event_of(Kind::kBegun, at_s);
  for (std::size_t i = 0; i < n_ranks; ++i) event.ranks.hosts.push_back("node" + std::to_string(i));
  event.generation = generation;
  return event;
}

RunEvent assigned(double at_s, std::vector<Rank> ranks, Generation generation = 0) {
  RunEvent event = event_of(Kind::kAssigned, at_s);
  event.rank_of_cell = std::move(ranks);
  event.generation = generation;
  return event;
}

RunEvent of_rank(Kind kind, double at_s, int rank) {
  RunEvent event = event_of(kind, at_s);
  event.rank = {rank};
  event.silent_s = 5.25;
  return event;
}

RunEvent done(double at_s, Generation generation) {
  RunEvent event = event_of(Kind::kGeneration, at_s);
  event.generation = generation;
  return event;
}

void expect_span(const Timeline::Span& span, State state, double begin_s, double end_s,
                 std::uint32_t n_cells) {
  EXPECT_EQ(span.state, state);
  EXPECT_EQ(span.begin_s, begin_s);
  EXPECT_EQ(span.end_s, end_s);
  EXPECT_EQ(span.n_cells, n_cells);
}

TEST(Timeline, nothing_happened_without_events) {
  const Timeline timeline = timeline_of({}, 2);
  EXPECT_EQ(timeline.n_starts, 0);
  EXPECT_TRUE(timeline.rows.empty());
  EXPECT_EQ(timeline.done_s.size(), 2);
}

TEST(Timeline, a_lost_worker_s_cells_go_to_a_spare) {
  const std::vector<RunEvent> events{
      begun(1000, 4),
      assigned(1000, {{1}, {1}, {2}}),
      of_rank(Kind::kLate, 1010, 1),
      of_rank(Kind::kLost, 1020, 1),
      assigned(1020, {{3}, {3}, {2}}, 7),
      event_of(Kind::kFinished, 1050),
  };
  const Timeline timeline = timeline_of(events, 0);
  ASSERT_EQ(timeline.rows.size(), 3);
  EXPECT_EQ(timeline.rows[0].host, "node1");
  ASSERT_EQ(timeline.rows[0].spans.size(), 3);
  expect_span(timeline.rows[0].spans[0], State::kWorking, 0, 10, 2);
  expect_span(timeline.rows[0].spans[1], State::kLate, 10, 20, 2);
  expect_span(timeline.rows[0].spans[2], State::kLost, 20, 50, 0);
  ASSERT_EQ(timeline.rows[1].spans.size(), 2);
  expect_span(timeline.rows[1].spans[1], State::kWorking, 20, 50, 1);
  ASSERT_EQ(timeline.rows[2].spans.size(), 2);
  expect_span(timeline.rows[2].spans[0], State::kSpare, 0, 20, 0);
  expect_span(timeline.rows[2].spans[1], State::kWorking, 20, 50, 2);
  ASSERT_EQ(timeline.marks.size(), 4);
  EXPECT_EQ(timeline.marks[0].text, "rank 1 did not answer for 5.3 s");
  EXPECT_EQ(timeline.marks[0].rank, Rank{1});
  EXPECT_EQ(timeline.marks[2].text, "cells moved: all of them went on from generation 7");
  EXPECT_EQ(timeline.marks[2].rank, Rank{-1});
  EXPECT_EQ(timeline.marks[3].at_s, 50);
}

TEST(Timeline, who_answers_again_goes_on_and_who_returns_is_a_spare) {
  const std::vector<RunEvent> events{
      begun(0, 3),
      assigned(0, {{1}, {2}}),
      of_rank(Kind::kLate, 1, 1),
      of_rank(Kind::kBack, 2, 1),
      of_rank(Kind::kLost, 3, 2),
      assigned(3, {{1}, {1}}, 1),
      of_rank(Kind::kReturned, 4, 2),
      event_of(Kind::kFinished, 5),
  };
  const Timeline timeline = timeline_of(events, 0);
  ASSERT_EQ(timeline.rows[0].spans.size(), 4);
  expect_span(timeline.rows[0].spans[2], State::kWorking, 2, 3, 1);
  expect_span(timeline.rows[0].spans[3], State::kWorking, 3, 5, 2);
  ASSERT_EQ(timeline.rows[1].spans.size(), 3);
  expect_span(timeline.rows[1].spans[1], State::kLost, 3, 4, 0);
  expect_span(timeline.rows[1].spans[2], State::kSpare, 4, 5, 0);
}

TEST(Timeline, helpers_help_while_their_worker_hosts_cells) {
  RunEvent start = begun(0, 5);
  start.ranks.per_cell = 2;
  const std::vector<RunEvent> events{start,
                                     assigned(1, {{1}, {3}}),
                                     of_rank(Kind::kLost, 3, 4),
                                     assigned(4, {{1}, {3}}),
                                     of_rank(Kind::kLost, 6, 3),
                                     assigned(7, {{1}, {1}}, 1),
                                     event_of(Kind::kFinished, 9)};
  const Timeline timeline = timeline_of(events, 2);
  ASSERT_EQ(timeline.rows.size(), 4);
  const auto& helper = timeline.rows[1].spans;
  ASSERT_EQ(helper.size(), 4);
  expect_span(helper[0], State::kSpare, 0, 1, 0);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(helper[i].state, State::kHelping);
  EXPECT_EQ(timeline.rows[3].spans.back().state, State::kLost);
}

TEST(Timeline, a_pause_before_a_resume_takes_no_time) {
  const std::vector<RunEvent> events{
      begun(0, 2),       assigned(0, {{1}}),       done(10, 1),   event_of(Kind::kStopped, 12),
      begun(9000, 3, 1), assigned(9001, {{2}}, 1), done(9005, 2), event_of(Kind::kFinished, 9006),
  };
  const Timeline timeline = timeline_of(events, 2);
  EXPECT_EQ(timeline.n_starts, 2);
  EXPECT_EQ(timeline.end_s, 18);
  EXPECT_EQ(timeline.done_s, (std::vector<double>{10, 17}));
  EXPECT_EQ(seconds_per_generation(timeline)[1], 7);
  EXPECT_TRUE(std::isnan(seconds_per_generation(timeline)[0]));
  ASSERT_EQ(timeline.rows.size(), 2);
  expect_span(timeline.rows[0].spans[0], State::kWorking, 0, 12, 1);
  EXPECT_EQ(timeline.marks[1].text, "went on from generation 1");
}

TEST(Timeline, a_clock_that_was_set_back_takes_no_time) {
  const std::vector<RunEvent> events{begun(100, 2), done(110, 1), done(50, 2), done(53, 3),
                                     done(54, 4'000'000'000)};
  const Timeline timeline = timeline_of(events, 3);
  EXPECT_EQ(timeline.done_s, (std::vector<double>{10, 10, 13}));
  EXPECT_EQ(timeline.end_s, 14);
}

TEST(Timeline, events_of_ranks_that_nobody_told_of_do_no_harm) {
  const std::vector<RunEvent> events{of_rank(Kind::kLost, 1, 99), begun(2, 2),
                                     of_rank(Kind::kLate, 3, 1'000'000'000),
                                     event_of(Kind::kSaved, 4)};
  const Timeline timeline = timeline_of(events, 0);
  EXPECT_EQ(timeline.rows.size(), 1);
  EXPECT_EQ(timeline.n_saved, 1);
}

}  // namespace
}  // namespace lipizz::report::timeline_test
