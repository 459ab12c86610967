#include "report/watch.hpp"

#include <gmock/gmock.h>

#include "config/json.hpp"
#include "report/played_screen.hpp"
#include "report/written_run.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::report::watch_test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using Kind = RunEvent::Kind;

// A run of three generations, which writes while somebody watches.
class WatchTest : public ::testing::Test {
 protected:
  WatchTest() {
    config::Experiment experiment;
    experiment.grid.rows = 1;
    write_text(folder_ / "config.json", config::to_json(experiment));
    happen({.kind = Kind::kBegun,
            .at_s = 1000,
            .generations = 3,
            .torus = {1, 2},
            .ranks = {.hosts = {"a", "node1"}}});
    happen({.kind = Kind::kTraining, .at_s = 1000});
    happen({.kind = Kind::kScoring, .at_s = 1000, .metric = "toy", .floor = 0.25});
  }

  void happen(RunEvent event) {
    write_text(folder_ / "events.jsonl", events_ += to_line(event) + "\n");
  }
  void pass(Generation generation) {
    happen({.kind = Kind::kGeneration,
            .at_s = 1000.0 + generation,
            .generation = generation,
            .cell = {1},
            .score = 4});
  }

  // `pause` stands for the second in between.
  bool watch(const std::function<void()>& pause) {
    RunFollower run(folder_.path());
    return report::watch(run, by([this, pause] {
                           now_s_ += 1;
                           pause();
                         }));
  }
  Watch by(std::function<void()> pause) {
    return {.screen = screen_,
            .now_s = [this] { return now_s_; },
            .pause = std::move(pause),
            .is_free = [this] { return is_free_; },
            .host = host_,
            .how_to_go_on = "lipizz --resume a"};
  }

  TemporaryFolder folder_;
  std::string events_;
  double now_s_ = 1000;
  bool is_free_ = false;
  std::string host_ = "a";
  PlayedScreen screen_{std::nullopt};
};

TEST_F(WatchTest, plain_lines_are_those_of_the_run_until_it_ends) {
  pass(1);
  int n = 0;
  EXPECT_TRUE(watch([&] {
    if (++n == 1) happen({.kind = Kind::kLate, .rank = {1}, .silent_s = 6});
    if (n == 1) pass(2);
    if (n == 2) happen({.kind = Kind::kFinished});
  }));
  EXPECT_EQ(screen_.written,
            "generation 1/3  best toy 4 (real samples 0.25)  cell (0, 1)\n"
            "rank 1 on node1 is late: silent for 6.0 s\n"
            "generation 2/3  best toy 4 (real samples 0.25)  cell (0, 1)  1 s left\n"
            "the run has finished\n");
}

TEST_F(WatchTest, a_terminal_has_the_live_view_and_news_above_it) {
  screen_ = PlayedScreen(TerminalStyle{});
  happen({.kind = Kind::kLate, .rank = {1}, .silent_s = 6});
  int n = 0;
  EXPECT_FALSE(watch([&] {
    if (++n == 1) {
      EXPECT_THAT(screen_.taken(), AllOf(HasSubstr("rank 1 silent"), Not(HasSubstr("is late"))));
      happen({.kind = Kind::kLost, .rank = {1}});
    }
    if (n == 2) {
      EXPECT_THAT(screen_.taken(), HasSubstr("rank 1 on node1 is lost\n"));
      happen({.kind = Kind::kStopped, .text = "signal TERM"});
    }
  }));
  EXPECT_THAT(screen_.written,
              EndsWith("the run was stopped, signal TERM; to go on: lipizz --resume a\n"));
}

TEST_F(WatchTest, says_that_nobody_goes_on_with_the_run) {
  pass(1);
  is_free_ = true;
  int n = 0;
  EXPECT_FALSE(watch([&] {
    if (++n == 9) pass(2);  // `launch` has started it again
  }));
  EXPECT_EQ(n, 19);
  EXPECT_THAT(screen_.written,
              EndsWith("the run ended without a word after generation 2 of 3: no process holds its "
                       "folder; to go on: lipizz --resume a\n"));
}

TEST_F(WatchTest, waits_for_longer_where_another_host_may_hold_it) {
  is_free_ = true;
  host_ = "c";
  int n = 0;
  EXPECT_FALSE(watch([&] { ++n; }));
  EXPECT_EQ(n, 60);
}

TEST_F(WatchTest, a_quiet_run_that_is_held_goes_on) {
  int n = 0;
  EXPECT_TRUE(watch([&] {
    if (++n == 100) happen({.kind = Kind::kFinished});
  }));
}

TEST_F(WatchTest, a_look_shows_the_present_state) {
  pass(1);
  RunFollower run(folder_.path());
  EXPECT_FALSE(look(run, by([] { FAIL() << "it does not wait"; })));
  EXPECT_THAT(screen_.written, AllOf(HasSubstr("generation 1 of 3"), HasSubstr("best toy 4"),
                                     EndsWith("the run goes on: generation 1 of 3\n")));
}

TEST_F(WatchTest, a_look_tells_of_a_failure) {
  happen({.kind = Kind::kFailed, .text = "no space left"});
  RunFollower run(folder_.path());
  EXPECT_FALSE(look(run, by([] {})));
  EXPECT_THAT(screen_.written, EndsWith("the run failed: no space left\n"));
}

}  // namespace
}  // namespace lipizz::report::watch_test
