#include "core/text.hpp"

#include <gmock/gmock.h>

namespace lipizz::text_test {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string> kLosses{"bce", "heuristic", "least-squares"};

TEST(Text, edit_distance_counts_single_character_changes) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
  EXPECT_EQ(edit_distance("gird", "grid"), 1U);
}

TEST(Text, a_misspelling_finds_the_nearest_name) {
  EXPECT_EQ(nearest("hueristic", kLosses), "heuristic");
  EXPECT_EQ(nearest("x", {}), "");
  const std::vector<std::string> devices{"cpu", "check", "cuda"};
  EXPECT_EQ(suggestion("gpu", devices), "; did you mean \"cuda\"?");
  EXPECT_EQ(suggestion("hueristic", kLosses), "; did you mean \"heuristic\"?");
  EXPECT_EQ(nearest("asink", std::vector<std::string>{"sync", "async"}), "async");
  EXPECT_EQ(suggestion("BCE", kLosses), "; did you mean \"bce\"?");
}

TEST(Text, what_is_no_slip_finds_nothing) {
  EXPECT_EQ(nearest("foo", std::vector<std::string>{"comm", "losses", "fo"}), "fo");
  EXPECT_EQ(nearest("foo", std::vector<std::string>{"comm", "losses"}), "");
  EXPECT_EQ(nearest("", kLosses), "");
  EXPECT_EQ(nearest("b", kLosses), "");
  EXPECT_EQ(nearest(std::string(100'000, 'b'), kLosses), "");
}

TEST(Text, an_abbreviation_is_near_to_the_whole) {
  EXPECT_EQ(nearest("heur", kLosses), "heuristic");
  EXPECT_EQ(nearest("leastsq", kLosses), "least-squares");
  EXPECT_EQ(nearest("lss", kLosses), "");
}

TEST(Text, a_word_near_to_nothing_gets_the_whole_list_where_it_is_short) {
  EXPECT_EQ(suggestion("wasserstein", kLosses), "; there are bce, heuristic, least-squares");
  EXPECT_EQ(suggestion("foo", std::vector<std::string>(13, "losses")), "");
}

TEST(Text, a_hint_stands_behind_a_question_or_a_semicolon) {
  EXPECT_EQ(with_hint("none; did you mean \"a\"?", "`b` lists all"),
            "none; did you mean \"a\"? `b` lists all");
  EXPECT_EQ(with_hint("none", "`b` lists all"), "none; `b` lists all");
}

TEST(Text, one_is_no_plural) {
  EXPECT_EQ(counted(0, "cell"), "0 cells");
  EXPECT_EQ(counted(1, "cell"), "1 cell");
  EXPECT_EQ(counted(16, "cell"), "16 cells");
}

TEST(Text, a_float_is_the_number_that_people_write) {
  EXPECT_EQ(shortest_number(0.3f), 0.3);
  EXPECT_EQ(shortest_number(1e-5f), 1e-5);
  EXPECT_EQ(shortest_number(4), 4);
}

TEST(Text, splits_between_separators) {
  EXPECT_THAT(split("a,b", ','), ElementsAre("a", "b"));
  EXPECT_THAT(split(",a,,", ','), ElementsAre("", "a", "", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Text, appends_words) {
  std::vector<std::string> words{"a"};
  append(words, {"b", "c"});
  EXPECT_THAT(words, ElementsAre("a", "b", "c"));
}

TEST(Text, parses_a_number_that_is_the_whole_text) {
  EXPECT_EQ(parse_number<std::uint32_t>("4294967295"), 4294967295U);
  EXPECT_EQ(parse_number<int>("-3"), -3);
  EXPECT_EQ(parse_number<std::uint64_t>("ff", 16), 255U);
  EXPECT_EQ(parse_number<double>("0.5"), 0.5);
  for (const char* none : {"", " 1", "1 ", "1x", "x", "-1", "4294967296", "0.5"}) {
    EXPECT_EQ(parse_number<std::uint32_t>(none), std::nullopt) << none;
  }
  EXPECT_EQ(parse_number<double>("0.5s"), std::nullopt);
}

TEST(Text, numbers_are_written_briefly) {
  EXPECT_EQ(number_text(9007199254740991), "9007199254740991");
  EXPECT_EQ(number_text(0.999999), "0.999999");
  EXPECT_EQ(number_text(1e-16), "1e-16");
  EXPECT_EQ(number_text(1000000), "1000000");
}

TEST(Text, printable_text_steers_no_terminal) {
  EXPECT_EQ(printable("\x1b[31m\x7f\n"), "?[31m??");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "1m\xc2\x85"),
            "a?1m?");
  EXPECT_EQ(printable("gr\xc3\xbc\xc3\x9f \xc2\xa0"), "gr\xc3\xbc\xc3\x9f \xc2\xa0");
}

TEST(Text, of_a_long_text_the_beginning_is_shown) {
  EXPECT_EQ(shortened("short"), "short");
  EXPECT_EQ(shortened(std::string(1000, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(shortened(std::string(59, 'x') + "\xc3\xbc and more"), std::string(59, 'x') + "...");
}

}  // namespace
}  // namespace lipizz::text_test
