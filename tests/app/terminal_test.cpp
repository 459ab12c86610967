#include "app/terminal.hpp"

#include <gtest/gtest.h>

#include <map>

namespace lipizz::app::terminal_test {
namespace {

using Colours = report::TerminalStyle::Colours;

std::optional<report::TerminalStyle> style(std::map<std::string, std::string> variables) {
  return style_of_environment([&](const std::string& name) { return variables[name]; });
}

TEST(Terminal, colours_are_those_that_it_has_and_that_are_wanted) {
  EXPECT_EQ(style({{"TERM", "xterm-256color"}})->colours, Colours::k256);
  EXPECT_EQ(style({{"TERM", "xterm"}, {"COLORTERM", "truecolor"}})->colours, Colours::kTrue);
  EXPECT_EQ(style({{"TERM", "xterm-direct"}})->colours, Colours::kTrue);
  EXPECT_EQ(style({{"TERM", "vt220"}})->colours, Colours::kNone);
  EXPECT_EQ(style({{"TERM", "xterm"}, {"COLORTERM", "24bit"}, {"NO_COLOR", "1"}})->colours,
            Colours::kNone);
}

TEST(Terminal, one_that_cannot_move_its_cursor_is_none) {
  EXPECT_FALSE(style({{"TERM", "dumb"}}));
  EXPECT_FALSE(style({}));
}

TEST(Terminal, characters_are_those_of_the_locale) {
  EXPECT_TRUE(style({{"TERM", "xterm"}, {"LANG", "de_DE.UTF-8"}})->has_unicode);
  EXPECT_TRUE(style({{"TERM", "xterm"}, {"LANG", "C"}, {"LC_CTYPE", "C.utf8"}})->has_unicode);
  EXPECT_FALSE(style({{"TERM", "xterm"}, {"LANG", "de_DE.UTF-8"}, {"LC_ALL", "C"}})->has_unicode);
  EXPECT_FALSE(style({{"TERM", "xterm"}})->has_unicode);
}

TEST(Terminal, the_environment_may_say_the_size) {
  const auto said = style({{"TERM", "xterm"}, {"COLUMNS", "100"}, {"LINES", "30"}});
  EXPECT_EQ(said->columns, 100);
  EXPECT_EQ(said->rows, 30);
  const auto usual = style({{"TERM", "xterm"}, {"COLUMNS", "0"}, {"LINES", "many"}});
  EXPECT_EQ(usual->columns, 80);
  EXPECT_EQ(usual->rows, 24);
}

TEST(Terminal, a_process_in_front_has_it) {
  EXPECT_TRUE(is_in_front("17 (lipizz) S 1 17 3 34816 17 4194304 1 2"));
  EXPECT_TRUE(is_in_front("17 (a name) (of) any kind) R 1 17 3 34816 17 0"));
  EXPECT_TRUE(is_in_front("17 (lipizz) S 1 17 17 0 -1 4194304")) << "it has no terminal of its own";
}

TEST(Terminal, a_process_behind_or_stopped_has_it_not) {
  EXPECT_FALSE(is_in_front("17 (lipizz) S 1 17 3 34816 3 4194304"));
  EXPECT_FALSE(is_in_front("17 (mpirun) T 1 17 3 34816 17 4194304"));
  EXPECT_FALSE(is_in_front(""));
  EXPECT_FALSE(is_in_front("17 (lipizz"));
}

}  // namespace
}  // namespace lipizz::app::terminal_test
