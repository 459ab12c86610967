#include "report/text_table.hpp"

#include <gtest/gtest.h>

namespace lipizz::report::text_table_test {
namespace {

const std::vector<TextColumn> kColumns{
    {"no", {"1", "10"}, true}, {"name", {"a", "longer"}}, {"loss", {"bce", "-"}}};

TEST(TextTable, numbers_stand_to_the_right_and_no_line_ends_with_a_space) {
  EXPECT_EQ(text_table(kColumns, 80),
            "no  name    loss\n"
            " 1  a       bce\n"
            "10  longer  -\n");
}

TEST(TextTable, what_does_not_fit_follows_beside_the_first_column) {
  EXPECT_EQ(text_table(kColumns, 15),
            "no  name\n"
            " 1  a\n"
            "10  longer\n"
            "\n"
            "no  loss\n"
            " 1  bce\n"
            "10  -\n");
  EXPECT_EQ(text_table(kColumns, 16).find("\n\n"), std::string::npos);
}

TEST(TextTable, a_column_that_is_too_wide_is_shown_all_the_same) {
  const std::string text = text_table(kColumns, 1);
  EXPECT_NE(text.find("longer"), std::string::npos);
  EXPECT_NE(text.find("bce"), std::string::npos);
}

TEST(TextTable, letters_of_several_bytes_take_one_place) {
  const std::vector<TextColumn> columns{{"a", {"\u00e9\u00e9", "b"}}, {"c", {"d", "e"}}};
  EXPECT_EQ(text_table(columns, 80), "a   c\n\u00e9\u00e9  d\nb   e\n");
}

// A run's folder may have any name.
TEST(TextTable, nothing_steers_the_terminal) {
  const std::vector<TextColumn> columns{{"run", {"\x1b[2Ja\nb"}}};
  EXPECT_EQ(text_table(columns, 80), "run\n?[2Ja?b\n");
}

TEST(TextTable, without_rows_there_are_titles) {
  const std::vector<TextColumn> columns{{"a", {}}, {"b", {}}};
  EXPECT_EQ(text_table(columns, 80), "a  b\n");
}

TEST(CutToFit, takes_the_middle_of_what_is_longest) {
  std::vector<TextColumn> columns{{"run", {"abcdefghijklmnop", "short"}},
                                  {"score", {"1.5", "2"}, true}};
  cut_to_fit(columns, 19);
  EXPECT_EQ(text_table(columns, 19),
            "run           score\n"
            "abcde..lmnop    1.5\n"
            "short             2\n");
  cut_to_fit(columns, 1);
  EXPECT_EQ(columns[0].cells[0], "abc..nop") << "eight characters stay";
  EXPECT_EQ(columns[1].title, "score");
}

TEST(CutToFit, letters_of_several_bytes_stay_whole) {
  std::vector<TextColumn> columns{
      {"a", {"\u00e9\u00e8\u00ea\u00e9\u00e8\u00ea\u00e9\u00e8\u00ea\u00e9"}}};
  cut_to_fit(columns, 9);
  EXPECT_EQ(columns[0].cells[0], "\u00e9\u00e8\u00ea\u00e9..\u00e8\u00ea\u00e9");
}

}  // namespace
}  // namespace lipizz::report::text_table_test
