#include "report/terminal_text.hpp"

#include <gtest/gtest.h>

namespace lipizz::report::terminal_text_test {
namespace {

using Colours = TerminalStyle::Colours;

constexpr Colour kDark{68, 1, 84, 53};

TEST(TerminalText, colours_are_written_as_the_terminal_knows_them) {
  EXPECT_EQ(on(kDark, Colours::kTrue), "\x1b[48;2;68;1;84m");
  EXPECT_EQ(on(kDark, Colours::k256), "\x1b[48;5;53m");
  EXPECT_EQ(in(kDark, Colours::k256), "\x1b[38;5;53m");
  EXPECT_EQ(on(kDark, Colours::kNone) + in(kDark, Colours::kNone) + plain(Colours::kNone), "");
}

TEST(TerminalText, text_is_read_on_any_background) {
  EXPECT_EQ(readable_on(kDark), (Colour{255, 255, 255, 231}));
  EXPECT_EQ(readable_on({253, 231, 37, 220}), (Colour{0, 0, 0, 16}));
}

TEST(TerminalText, escape_sequences_and_bytes_of_a_character_take_no_column) {
  EXPECT_EQ(visible_width(""), 0);
  EXPECT_EQ(visible_width("ab"), 2);
  EXPECT_EQ(visible_width("\x1b[38;2;1;2;3m▀\x1b[0m▄ "), 3);
}

TEST(TerminalText, a_line_has_the_pieces_that_fit) {
  const std::vector<Piece> pieces{{"generation 1"}, {""}, {"best 2"}, {"left 3"}};
  EXPECT_EQ(line_of(pieces, {.columns = 80}), "generation 1  best 2  left 3");
  EXPECT_EQ(line_of(pieces, {.columns = 27}), "generation 1  best 2");
  EXPECT_EQ(line_of(pieces, {.columns = 10}), "generation");
  EXPECT_EQ(line_of({{"─━─━"}}, {.columns = 2}), "─━");
}

TEST(TerminalText, tones_are_kept_to_terminals_with_colours) {
  const std::vector<Piece> pieces{{"rank 2 lost", Piece::Tone::kError}, {"so far"}};
  EXPECT_EQ(line_of(pieces, {.colours = Colours::k256}), "\x1b[1;31mrank 2 lost\x1b[0m  so far");
  EXPECT_EQ(line_of(pieces, {}), "rank 2 lost  so far");
}

}  // namespace
}  // namespace lipizz::report::terminal_text_test
