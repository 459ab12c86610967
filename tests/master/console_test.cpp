#include "master/console.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <vector>

namespace lipizz::master {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct StepClock final : Clock {
  double now_s() const override { return now; }
  double now = 0;
};

struct Fixture {
  Console console(Generation generations, bool is_terminal = false, bool is_quiet = false) {
    return Console({.out = [this](const std::string& text) { out.push_back(text); },
                    .errors = [this](const std::string& line) { errors.push_back(line); },
                    .is_terminal = is_terminal,
                    .is_quiet = is_quiet},
                   {2, 2}, generations, clock);
  }
  StepClock clock;
  std::vector<std::string> out;
  std::vector<std::string> errors;
};

TEST(Console, plain_lines_are_few) {
  Fixture screen;
  Console console = screen.console(1000);
  for (Generation generation = 1; generation <= 1000; ++generation) {
    console.progress(generation, {{3}, 0.5, "toy", 0.1});
  }
  EXPECT_EQ(screen.out.size(), 21U);
  EXPECT_EQ(screen.out.front(),
            "generation 1/1000  best toy 0.5 (real samples 0.1)  cell (1, 1)\n");
}

TEST(Console, tells_the_floor_and_the_time_left) {
  Fixture screen;
  Console console = screen.console(11);
  screen.clock.now = 30;  // what the start cost does not count
  console.progress(1, {{0}, 8, "toy", 0.25});
  screen.clock.now = 32;
  console.progress(2, {{1}, 4, "toy", 0.25});
  screen.clock.now = 52;
  console.progress(11, {{1}, 2, "toy", 0.25});
  EXPECT_THAT(
      screen.out,
      ElementsAre("generation 1/11  best toy 8 (real samples 0.25)  cell (0, 0)\n",
                  "generation 2/11  best toy 4 (real samples 0.25)  cell (0, 1)  18 s left\n",
                  "generation 11/11  best toy 2 (real samples 0.25)  cell (0, 1)\n"));
}

TEST(Console, a_terminal_has_one_live_line) {
  Fixture screen;
  Console console = screen.console(3, true);
  console.progress(1, {{0}, 8, "toy", 0.1});
  console.progress(2, {{0}, 4, "toy", 0.1});
  console.say("done");
  EXPECT_THAT(screen.out,
              ElementsAre("generation 1/3  best toy 8 (real samples 0.1)  cell (0, 0)", "\r\x1b[K",
                          "generation 2/3  best toy 4 (real samples 0.1)  cell (0, 0)  0 s left",
                          "\r\x1b[K", "done\n"));
}

TEST(Console, warnings_that_differ_in_numbers_alone_are_shown_once) {
  Fixture screen;
  Console console = screen.console(3);
  console.warn("cell 1", "cell 1: loss is 0.01");
  console.warn("cell 1", "cell 1: loss is 0");
  console.warn("cell 1", "cell 1: went NaN");
  EXPECT_THAT(screen.errors, ElementsAre("lipizz: warning: cell 1: loss is 0.01",
                                         "lipizz: warning: cell 1: went NaN"));
}

TEST(Console, warnings_of_every_subject_are_shown) {
  Fixture screen;
  Console console = screen.console(3);
  for (const char* rank : {"rank 1 on node1", "rank 2 on node1", "rank 1 on node1"}) {
    console.warn(rank, std::string(rank) + " is late: silent for 5.1 s");
  }
  EXPECT_THAT(screen.errors,
              ElementsAre("lipizz: warning: rank 1 on node1 is late: silent for 5.1 s",
                          "lipizz: warning: rank 2 on node1 is late: silent for 5.1 s"));
}

TEST(Console, a_generation_without_a_score_says_so) {
  Fixture screen;
  Console console = screen.console(3);
  console.progress(1, {{0}, kUnknown, "toy", 0.25});
  EXPECT_THAT(screen.out, ElementsAre("generation 1/3  no score\n"));
}

TEST(Console, quiet_means_warnings_alone) {
  Fixture screen;
  Console console = screen.console(3, true, true);
  console.progress(1, {{0}, 8, "toy", 0.1});
  console.say("done");
  console.warn("rank 1", "late");
  EXPECT_THAT(screen.out, IsEmpty());
  EXPECT_THAT(screen.errors, ElementsAre("lipizz: warning: late"));
}

TEST(Console, durations_read_well) {
  EXPECT_EQ(duration_text(45.4), "45 s");
  EXPECT_EQ(duration_text(720), "12 min");
  EXPECT_EQ(duration_text(12600), "3.5 h");
}

}  // namespace
}  // namespace lipizz::master
