#include "report/live_display.hpp"

#include <gmock/gmock.h>

#include "report/played_screen.hpp"

namespace lipizz::report::live_display_test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Kind = RunEvent::Kind;

constexpr const char* kUpAgain = "\r\x1b[5A";  // to the first of the view's five lines

class LiveDisplayTest : public ::testing::Test {
 protected:
  LiveDisplayTest() {
    take({.kind = Kind::kBegun,
          .at_s = 1000,
          .generations = 9,
          .torus = {1, 1},
          .ranks = {.hosts = {"a", "a"}}},
         state_);
  }

  void show(double now_s) { display_.show(state_, "", now_s); }
  void pass(double at_s, Generation generation) {
    take({.kind = Kind::kGeneration, .at_s = at_s, .generation = generation, .score = 1}, state_);
  }

  RunState state_;
  PlayedScreen screen_{TerminalStyle{}};
  LiveDisplay display_{screen_};
};

TEST_F(LiveDisplayTest, draws_what_changed_and_not_too_often) {
  show(1000);
  EXPECT_THAT(screen_.taken(), StartsWith("generation 0 of 9"));
  pass(1000.2, 1);
  show(1000.2);
  EXPECT_EQ(screen_.taken(), "");
  show(1000.6);
  EXPECT_THAT(screen_.taken(), AllOf(StartsWith(kUpAgain), HasSubstr("generation 1 of 9")));
}

TEST_F(LiveDisplayTest, a_line_is_put_above_the_view) {
  show(1000);
  const std::string view = screen_.taken();
  display_.print("lipizz: warning: late");
  EXPECT_EQ(screen_.taken(), std::string(kUpAgain) + "\x1b[Jlipizz: warning: late\n" + view);
}

TEST_F(LiveDisplayTest, nothing_is_drawn_where_nobody_sees_it_but_lines_are_kept) {
  show(1000);
  screen_.taken();
  screen_.now.reset();
  show(1001);
  EXPECT_EQ(screen_.taken(), "");
  display_.print("stays");
  EXPECT_EQ(screen_.taken(), "stays\n");
}

TEST_F(LiveDisplayTest, after_another_program_had_the_terminal_it_begins_below) {
  show(1000);
  screen_.taken();
  screen_.is_back = true;
  show(1001);
  EXPECT_THAT(screen_.taken(), StartsWith("generation 0 of 9"));
  screen_.is_back = true;
  display_.print("stays");
  EXPECT_THAT(screen_.taken(), StartsWith("stays\ngeneration 0 of 9"));
}

TEST_F(LiveDisplayTest, another_size_is_drawn_at_once) {
  show(1000);
  screen_.taken();
  screen_.now->columns = 20;
  show(1000.5);
  EXPECT_THAT(screen_.taken(), HasSubstr("\x1b[Jgeneration 0 of 9"));
}

TEST_F(LiveDisplayTest, the_last_state_stays) {
  show(1000);
  screen_.taken();
  pass(1000.2, 9);
  take({.kind = Kind::kFinished, .at_s = 1000.2}, state_);
  display_.finish(state_, 1000.2);
  EXPECT_THAT(screen_.taken(), AllOf(HasSubstr("generation 9 of 9"), HasSubstr("finished")));
  display_.print("samples: a.png");
  EXPECT_EQ(screen_.taken(), "samples: a.png\n");
}

}  // namespace
}  // namespace lipizz::report::live_display_test
