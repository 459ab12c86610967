#include "report/findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/made_history.hpp"

namespace lipizz::report::findings_test {
namespace {

using Kind = Finding::Kind;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

RunRecord record_of(History history) {
  RunRecord run{.folder = "a",
                .configuration = {},
                .result = FinishedRun{},
                .details = ResultDetails{},
                .history = std::move(history),
                .events = {},
                .sheets = {},
                .grid_sheet = {}};
  run.configuration.torus = run.history.torus();
  run.configuration.generations = run.history.generations();
  return run;
}

// The first finding whose text has this in it; one of no text where there is none.
Finding finding(const RunRecord& run, std::string_view part) {
  const std::vector<Finding> all = findings_of(run);
  const auto found = std::ranges::find_if(
      all, [&](const Finding& one) { return one.text.find(part) != std::string::npos; });
  return found == all.end() ? Finding{} : *found;
}

History falling(Generation generations) {
  std::vector<std::vector<double>> scores;
  for (Generation i = 0; i < generations; ++i) scores.push_back({100.0 - i});
  return history_of_scores(scores);
}

TEST(Findings, of_a_run_that_went_well_are_none) {
  EXPECT_TRUE(findings_of(record_of(history_of_scores({{3, 4}, {2, 3}}))).empty());
}

TEST(Findings, the_best_generation_was_not_the_last) {
  RunRecord run = record_of(history_of_scores({{5, 9}, {7, 2}, {6, 4}}));
  const Finding without = finding(run, "best generation");
  EXPECT_EQ(without.kind, Kind::kWarning);
  EXPECT_EQ(without.text, "The best generation was 2 of 3: 2 in cell (0, 1), and 4 at the end");
  EXPECT_NE(without.advice.find("picture"), std::string::npos);
  run.has_best_mixture = true;
  EXPECT_NE(finding(run, "best generation").advice.find("mixture-best/"), std::string::npos);
}

TEST(Findings, large_numbers_are_grouped) {
  std::vector<std::vector<double>> scores(1060, {5});
  scores[178] = {1};
  EXPECT_NE(finding(record_of(history_of_scores(scores)), "was 179 of 1,060").text, "");
}

TEST(Findings, the_score_still_falls) {
  EXPECT_EQ(finding(record_of(falling(20)), "still improved").kind, Kind::kInfo);
  EXPECT_EQ(finding(record_of(falling(5)), "still improved").text, "");
}

TEST(Findings, a_run_that_has_not_finished) {
  RunRecord run = record_of(falling(3));
  run.result.reset();
  run.configuration.generations = 9;
  EXPECT_EQ(finding(run, "not finished").text, "The run has not finished: 3 of 9 generations");
  RunEvent stopped;
  stopped.kind = RunEvent::Kind::kStopped;
  stopped.text = "time limit";
  run.events.push_back(stopped);
  EXPECT_NE(finding(run, "it was stopped (time limit)").text, "");
  RunRecord begun = record_of(History({1, 1}));
  begun.result.reset();
  EXPECT_EQ(finding(begun, "No generation").kind, Kind::kWarning);
}

TEST(Findings, a_run_without_scores) {
  EXPECT_EQ(finding(record_of(history_of_scores({{kNaN}})), "no scores").kind, Kind::kWarning);
}

TEST(Findings, cells_that_diverged) {
  History history({1, 3});
  for (std::uint32_t cell = 0; cell < 3; ++cell) {
    MetricsLine line = plain_line(cell, 1);
    if (cell > 0) line.generator.loss = kNaN;
    history.add(line);
  }
  EXPECT_EQ(finding(record_of(std::move(history)), "no number").text,
            "2 of 3 cells ended with losses that are no number: (0, 1), (0, 2)");
}

TEST(Findings, lines_that_are_damaged_or_missing) {
  History history({1, 2});
  history.add(plain_line(0, 1));
  history.add_damaged();
  history.add(plain_line(0, 2));
  const RunRecord run = record_of(std::move(history));
  EXPECT_EQ(finding(run, "damaged").text, "1 line of metrics.jsonl is damaged and left out here");
  EXPECT_EQ(finding(run, "missing").text, "1 line of metrics.jsonl missing");
}

TEST(Findings, events_that_cannot_be_read) {
  RunRecord run = record_of(falling(2));
  run.n_damaged_events = 2;
  EXPECT_NE(finding(run, "2 lines of events.jsonl").text, "");
}

TEST(Findings, lost_workers_by_events_or_else_by_the_result) {
  RunRecord run = record_of(falling(2));
  run.details->lost = {{3}, {5}};
  EXPECT_EQ(finding(run, "lost").text, "2 ranks were lost: 3, 5");
  RunEvent lost;
  lost.kind = RunEvent::Kind::kLost;
  lost.rank = {4};
  run.events.push_back(lost);
  EXPECT_EQ(finding(run, "lost").text, "1 rank was lost: 4");
}

TEST(Findings, a_rank_that_waits_most_of_its_time) {
  RunRecord run = record_of(falling(2));
  run.details->times = {{.rank = {1}, .waited_s = 7, .total_s = 10, .cpu_s = {}, .host = {}},
                        {.rank = {2}, .waited_s = 1, .total_s = 10, .cpu_s = {}, .host = {}}};
  EXPECT_EQ(finding(run, "waited").text, "Rank 1 waited 70 % of its time for neighbours");
  run.details->times[1].waited_s = 6;
  EXPECT_NE(finding(run, "2 of 2 ranks").text, "");
  run.details->times = {run.details->times[0]};  // who has no neighbours elsewhere
  EXPECT_EQ(finding(run, "waited").text, "");
  run.details->times[0].helpers_s = 5;
  EXPECT_EQ(finding(run, "waited").text, "Rank 1 waited 50 % of its time for helpers");
  run.details->times[0].helpers_s = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(finding(run, "waited").text, "") << "of a run of before, which does not tell";
}

TEST(Findings, rates_that_left_their_beginning_far_behind) {
  History history({1, 1});
  MetricsLine line = plain_line(0, 1);
  history.add(line);
  line.generation = 2;
  line.discriminator.rate *= 101;
  history.add(line);
  const RunRecord run = record_of(std::move(history));
  EXPECT_EQ(finding(run, "of 1 discriminator moved").kind, Kind::kInfo);
  EXPECT_EQ(finding(run, " generator").text, "");
}

TEST(Findings, one_line_of_descent_is_left) {
  std::vector<std::vector<std::uint32_t>> origins(10, {0, 1});
  origins[6] = {0, 0};
  EXPECT_NE(finding(record_of(history_of_origins(origins)), "Since generation 7 all").text, "");
  origins[6] = {0, 1};
  EXPECT_EQ(finding(record_of(history_of_origins(origins)), "Since").text, "");
}

TEST(Findings, classes_that_are_rare) {
  History history({1, 1});
  MetricsLine line = plain_line(0, 1);
  line.class_shares = {0.5, 0.05, 0.4, 0.05};
  history.add(line);
  history.add(plain_line(0, 2, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_NE(finding(record_of(std::move(history)), "2 of 4 classes").text.find(": 1, 3"),
            std::string::npos);
}

TEST(Findings, messages_of_others) {
  RunRecord run = record_of(falling(2));
  run.details->n_unauthenticated = 1200;
  EXPECT_NE(finding(run, "1,200 messages").text, "");
}

TEST(Findings, warnings_come_first) {
  RunRecord run = record_of(falling(20));
  run.n_damaged_events = 1;
  const std::vector<Finding> all = findings_of(run);
  ASSERT_GE(all.size(), 2);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Finding::kind));
  EXPECT_EQ(all.front().kind, Kind::kWarning);
}

}  // namespace
}  // namespace lipizz::report::findings_test
