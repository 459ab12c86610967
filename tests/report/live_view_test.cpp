#include "report/live_view.hpp"

#include <gmock/gmock.h>

namespace lipizz::report::live_view_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using Kind = RunEvent::Kind;

// Twelve of a hundred generations, of 2 s each.
class LiveViewTest : public ::testing::Test {
 protected:
  LiveViewTest() {
    take({.kind = Kind::kBegun,
          .at_s = 1000,
          .generations = 100,
          .torus = {2, 2},
          .ranks = {.hosts = {"a", "a", "a", "b", "b"}}},
         state_);
    take({.kind = Kind::kTraining, .at_s = 1000.5}, state_);
    take({.kind = Kind::kAssigned, .at_s = 1000.5, .rank_of_cell = {{1}, {2}, {3}, {4}}}, state_);
  }

  void train() {
    take({.kind = Kind::kScoring, .at_s = 1001, .metric = "frechet", .floor = 0.84}, state_);
    for (Generation g = 1; g <= 12; ++g) {
      for (std::uint32_t i = 0; i < 4; ++i) take(CellId{i}, g, 64.0 - g + 10 * i, state_);
      take({.kind = Kind::kGeneration,
            .at_s = 1000 + 2.0 * g,
            .generation = g,
            .cell = {0},
            .score = 64.0 - g},
           state_);
    }
  }

  [[nodiscard]] std::vector<std::string> view(const TerminalStyle& style = {}) const {
    return live_view(state_, "the judge: 25 % trained", 1026, style);
  }

  RunState state_;
};

TEST_F(LiveViewTest, shows_a_run_at_a_glance) {
  train();
  EXPECT_THAT(view(), ElementsAre("generation 12 of 100  "
                                  "####------------------------------------  12 %",
                                  "best frechet 52  generation 12, cell (0, 0)  real samples 0.84",
                                  "2 s per generation  3 min left  26 s so far",
                                  "4 workers  all answer", "       52*        62  ",
                                  "       72         82  ", "52 @%%##**++==--::. 82"));
}

TEST_F(LiveViewTest, shows_what_the_start_waits_for) {
  const auto lines = view();
  EXPECT_EQ(lines[1], "no score yet  the judge: 25 % trained");
  EXPECT_EQ(lines[2], "26 s so far");
  EXPECT_EQ(lines[4], "        -          -  ");
}

TEST_F(LiveViewTest, cells_that_are_ahead_count_as_progress) {
  train();
  for (std::uint32_t i = 0; i < 4; ++i) take(CellId{i}, 13, 50, state_);
  EXPECT_THAT(view()[0], AllOf(HasSubstr("generation 12 of 100"), HasSubstr("13 %")));
}

TEST_F(LiveViewTest, names_workers_that_do_not_answer_and_marks_their_cells) {
  train();
  take({.kind = Kind::kLate, .at_s = 1025, .rank = {2}, .silent_s = 5}, state_);
  take({.kind = Kind::kLost, .at_s = 1025, .rank = {4}}, state_);
  const auto lines = view();
  EXPECT_EQ(lines[3], "4 workers  rank 2 silent for 6 s  rank 4 lost");
  EXPECT_EQ(lines[4], "       52*        62? ");
  for (int rank = 5; rank < 10; ++rank) take({.kind = Kind::kLost, .rank = {rank}}, state_);
  EXPECT_THAT(view()[3], HasSubstr("ranks 4, 5, 6 and 3 more lost"));
}

TEST_F(LiveViewTest, an_older_best_stands_beside_what_is_reached_now) {
  train();
  take({.kind = Kind::kGeneration, .at_s = 1026, .generation = 13, .score = 60}, state_);
  EXPECT_EQ(view()[1], "best frechet 52  generation 12, cell (0, 0)  now 60  real samples 0.84");
}

TEST_F(LiveViewTest, says_how_it_ended_and_counts_no_further) {
  train();
  take({.kind = Kind::kStopped, .at_s = 1025, .text = "signal TERM"}, state_);
  const auto lines = live_view(state_, "", 5000, {});
  EXPECT_EQ(lines[2], "stopped: signal TERM  2 s per generation  25 s so far");
  EXPECT_EQ(lines[3], "4 workers");
}

TEST_F(LiveViewTest, the_grid_goes_before_the_lines_where_there_is_no_room) {
  train();
  EXPECT_THAT(view({.rows = 7}), SizeIs(7));
  EXPECT_THAT(view({.rows = 5}), SizeIs(4));
  EXPECT_THAT(view({.rows = 2}), SizeIs(2));
}

TEST_F(LiveViewTest, narrow_lines_keep_what_matters_most) {
  train();
  const auto lines = view({.columns = 29});
  EXPECT_EQ(lines[0], "generation 12 of 100  12 %");
  EXPECT_EQ(lines[1], "best frechet 52");
  for (std::uint32_t columns = 1; columns < 90; ++columns) {
    for (const std::string& line :
         view({.columns = columns, .colours = TerminalStyle::Colours::k256})) {
      EXPECT_LE(visible_width(line), columns) << line;
    }
  }
}

}  // namespace
}  // namespace lipizz::report::live_view_test
