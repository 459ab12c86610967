#include "report/run_event.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "checkpoint/checked_line.hpp"

namespace lipizz::report::run_event_test {
namespace {

using ::testing::HasSubstr;
using Kind = RunEvent::Kind;

constexpr grid::Torus kTorus{.rows = 1, .columns = 2};

std::optional<RunEvent> again(const RunEvent& event) {
  return parse_run_event(to_line(event), kTorus);
}

std::optional<RunEvent> parsed(const std::string& object) {
  return parse_run_event(checkpoint::checked_line(object), kTorus);
}

TEST(RunEvent, comes_back_with_the_fields_of_its_kind) {
  const auto begun = again({.kind = Kind::kBegun,
                            .at_s = 1769860800.125,
                            .generation = 3,
                            .generations = 9,
                            .torus = kTorus,
                            .ranks = {.hosts = {"a", "b \"quoted\""}, .per_cell = 3}});
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->at_s, 1769860800.125);
  EXPECT_EQ(begun->generation, 3U);
  EXPECT_EQ(begun->generations, 9U);
  EXPECT_EQ(begun->ranks.per_cell, 3U);
  EXPECT_THAT(begun->ranks.hosts, ::testing::ElementsAre("a", "b \"quoted\""));

  const auto scoring = again({.kind = Kind::kScoring, .metric = "m", .judge = "0f", .floor = 0.5});
  ASSERT_TRUE(scoring);
  EXPECT_EQ(scoring->metric, "m");
  EXPECT_EQ(scoring->judge, "0f");
  EXPECT_EQ(scoring->floor, 0.5);

  const auto told = again({.kind = Kind::kGeneration, .generation = 4, .cell = {1}, .score = 7.25});
  ASSERT_TRUE(told);
  EXPECT_EQ(told->generation, 4U);
  EXPECT_EQ(told->cell, CellId{1});
  EXPECT_EQ(told->score, 7.25);

  const auto late = again({.kind = Kind::kLate, .rank = {3}, .silent_s = 5.5});
  ASSERT_TRUE(late);
  EXPECT_EQ(late->rank, Rank{3});
  EXPECT_EQ(late->silent_s, 5.5);

  const auto assigned =
      again({.kind = Kind::kAssigned, .generation = 2, .rank_of_cell = {{1}, {4}}});
  ASSERT_TRUE(assigned);
  EXPECT_THAT(assigned->rank_of_cell, ::testing::ElementsAre(Rank{1}, Rank{4}));
}

TEST(RunEvent, every_kind_has_a_name_of_its_own_by_which_it_comes_back) {
  for (int kind = 0; kind <= static_cast<int>(Kind::kFinished); ++kind) {
    const RunEvent event{
        .kind = static_cast<Kind>(kind), .torus = kTorus, .rank_of_cell = {{1}, {1}}};
    const auto back = again(event);
    ASSERT_TRUE(back) << name_of(event.kind);
    EXPECT_EQ(back->kind, event.kind);
  }
}

TEST(RunEvent, a_line_names_what_happened_and_nothing_that_did_not) {
  EXPECT_THAT(
      to_line({.kind = Kind::kLate, .at_s = 1.5, .rank = {3}, .silent_s = 5.25}),
      ::testing::StartsWith(R"({"at_s":1.5,"event":"late","rank":3,"silent_s":5.25,"check":")"));
}

TEST(RunEvent, no_score_is_null_and_back) {
  const RunEvent event{.kind = Kind::kGeneration, .score = std::nan("")};
  EXPECT_THAT(to_line(event), HasSubstr("\"score\":null"));
  const auto back = again(event);
  ASSERT_TRUE(back);
  EXPECT_TRUE(std::isnan(back->score));
}

TEST(RunEvent, text_that_is_no_utf8_does_not_end_the_run) {
  EXPECT_TRUE(again({.kind = Kind::kFailed, .text = "\xff\xfe"}));
}

TEST(RunEvent, a_line_that_is_damaged_or_of_another_grid_is_none) {
  std::string line = to_line({.kind = Kind::kLost, .rank = {1}});
  EXPECT_TRUE(parse_run_event(line, kTorus));
  line[20] ^= 1;
  EXPECT_FALSE(parse_run_event(line, kTorus));
  EXPECT_FALSE(again({.kind = Kind::kBegun, .torus = {.rows = 2, .columns = 2}}));
  EXPECT_FALSE(again({.kind = Kind::kGeneration, .cell = {2}}));
  EXPECT_FALSE(again({.kind = Kind::kAssigned, .rank_of_cell = {{1}}}));
  EXPECT_FALSE(parsed(R"({"at_s":1,"event":"exploded"})"));
  EXPECT_FALSE(parsed(R"({"at_s":1,"event":"lost"})"));
  EXPECT_FALSE(parsed(R"({"at_s":1,"event":"lost","rank":-1})"));
  EXPECT_FALSE(parsed(R"({"at_s":1,"event":"lost","rank":4294967296})"));
  EXPECT_FALSE(parsed(R"({"at_s":1,"event":"assigned","generation":0,"rank_of_cell":{"a":1}})"));
}

}  // namespace
}  // namespace lipizz::report::run_event_test
