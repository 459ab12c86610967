#include "master/console.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/played_screen.hpp"

namespace lipizz::master::console_test {
namespace {

using report::PlayedScreen;
using report::RunEvent;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Kind = RunEvent::Kind;

struct StepClock final : Clock {
  double now_s() const override { return now; }
  double now = 0;
};

// A run of four cells that has begun, unless it is told otherwise.
struct Fixture {
  explicit Fixture(std::optional<report::TerminalStyle> terminal = {}, bool is_quiet = false)
      : screen(std::make_shared<PlayedScreen>(terminal)),
        console({.screen = screen,
                 .errors = [this](const std::string& line) { errors.push_back(line); },
                 .is_quiet = is_quiet},
                clock) {
    console.show({.kind = Kind::kBegun,
                  .at_s = 1000,
                  .generations = 3,
                  .torus = {2, 2},
                  .ranks = {.hosts = {"a", "a"}}});
    console.show({.kind = Kind::kScoring, .at_s = 1000, .metric = "toy", .floor = 0.25});
  }
  void pass(double at_s, Generation generation, double score) {
    console.show({.kind = Kind::kGeneration,
                  .at_s = at_s,
                  .generation = generation,
                  .cell = {3},
                  .score = score});
  }

  StepClock clock;
  std::shared_ptr<PlayedScreen> screen;
  std::vector<std::string> errors;
  Console console;
};

const report::TerminalStyle kTerminal{};

TEST(Console, plain_lines_tell_of_generations_where_there_is_no_terminal) {
  Fixture run;
  run.console.say("training");
  run.pass(1001, 1, 8);
  run.console.note("the judge: 25 % trained");
  run.console.show({.kind = Kind::kFinished, .at_s = 1002});
  EXPECT_EQ(run.screen->written,
            "training\n"
            "generation 1/3  best toy 8 (real samples 0.25)  cell (1, 1)\n"
            "the judge: 25 % trained\n");
}

TEST(Console, a_terminal_has_the_live_view) {
  Fixture run(kTerminal);
  EXPECT_THAT(run.screen->taken(), StartsWith("generation 0 of 3"));
  run.clock.now = 2;
  run.console.show(CellId{0}, 1, 9);
  EXPECT_THAT(run.screen->taken(), AllOf(HasSubstr("8 %"), HasSubstr("2 s so far")));
  run.clock.now = 4;
  run.console.beat();
  EXPECT_THAT(run.screen->taken(), HasSubstr("4 s so far"));
}

TEST(Console, lines_come_above_the_view) {
  Fixture run(kTerminal);
  run.screen->taken();
  run.console.say("scores are toy");
  EXPECT_THAT(run.screen->taken(), HasSubstr("\x1b[Jscores are toy\ngeneration 0 of 3"));
}

TEST(Console, the_live_view_shows_what_the_first_score_waits_for) {
  Fixture run(kTerminal);
  run.screen->taken();
  run.clock.now = 1;
  run.console.note("the judge: 25 % trained");
  EXPECT_THAT(run.screen->taken(), HasSubstr("no score yet  the judge: 25 % trained"));
  run.pass(1001, 1, 8);
  run.clock.now = 2;
  run.console.note("another");
  EXPECT_THAT(run.screen->taken(), HasSubstr("\x1b[Janother\n"));
}

TEST(Console, the_last_view_stays_and_the_summary_comes_below) {
  Fixture run(kTerminal);
  run.pass(1001, 3, 8);
  run.screen->taken();
  run.console.show({.kind = Kind::kFinished, .at_s = 1001});
  EXPECT_THAT(run.screen->taken(), HasSubstr("finished"));
  run.console.say("run:     runs/a");
  EXPECT_EQ(run.screen->taken(), "run:     runs/a\n");
}

TEST(Console, warnings_that_differ_in_numbers_alone_are_shown_once) {
  Fixture run;
  run.console.warn("cell 1", "cell 1: loss is 0.01");
  run.console.warn("cell 1", "cell 1: loss is 0");
  run.console.warn("cell 1", "cell 1: went NaN");
  EXPECT_THAT(run.errors, ElementsAre("lipizz: warning: cell 1: loss is 0.01",
                                      "lipizz: warning: cell 1: went NaN"));
}

TEST(Console, warnings_of_every_subject_are_shown) {
  Fixture run;
  for (const char* rank : {"rank 1 on node1", "rank 2 on node1", "rank 1 on node1"}) {
    run.console.warn(rank, std::string(rank) + " is late: silent for 5.1 s");
  }
  EXPECT_THAT(run.errors,
              ElementsAre("lipizz: warning: rank 1 on node1 is late: silent for 5.1 s",
                          "lipizz: warning: rank 2 on node1 is late: silent for 5.1 s"));
}

TEST(Console, warnings_come_above_the_view_where_both_go_to_one_terminal) {
  StepClock clock;
  const auto screen = std::make_shared<PlayedScreen>(kTerminal);
  Console console({.screen = screen, .errors = {}, .is_quiet = false}, clock);
  console.warn("start", "early");
  EXPECT_EQ(screen->taken(), "lipizz: warning: early\n");
  console.show({.kind = Kind::kBegun, .at_s = 1000, .generations = 3, .torus = {2, 2}});
  screen->taken();
  console.warn("rank 1", "late");
  EXPECT_THAT(screen->taken(), HasSubstr("\x1b[Jlipizz: warning: late\ngeneration 0 of 3"));
}

TEST(Console, quiet_means_warnings_alone) {
  Fixture run(kTerminal, true);
  run.pass(1001, 1, 8);
  run.console.say("done");
  run.console.beat();
  run.console.warn("rank 1", "late");
  EXPECT_EQ(run.screen->written, "");
  EXPECT_THAT(run.errors, ElementsAre("lipizz: warning: late"));
}

}  // namespace
}  // namespace lipizz::master::console_test
