#include "data/csv.hpp"

#include <gmock/gmock.h>

#include "data/support.hpp"

namespace lipizz::data::csv_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PointTable parse(std::string_view text) {
  return parse_csv({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "some/a.csv");
}

std::string refusal(std::string_view text) {
  return data_error([&] { parse(text); });
}

void expect_two_by_two(std::string_view text) {
  const PointTable table = parse(text);
  EXPECT_EQ(table.n_columns, 2U) << text;
  EXPECT_EQ(table.n_rows(), 2U) << text;
  EXPECT_THAT(table.values, ElementsAre(1, -2.5F, 3e-2F, 4)) << text;
}

TEST(Csv, any_of_the_separators_is_found) {
  expect_two_by_two("1,-2.5\n3e-2,4\n");
  expect_two_by_two("1;-2.5\n3e-2;4");
  expect_two_by_two("1\t-2.5\n3e-2\t4\n");
  expect_two_by_two("  1   -2.5\n\t3e-2 \t 4  \n");
  expect_two_by_two(" 1 , -2.5\t\n3e-2\t,+4\n");
}

TEST(Csv, a_header_comments_and_empty_lines_are_skipped) {
  expect_two_by_two("x,y\n1,-2.5\n3e-2,4\n");
  expect_two_by_two("\xef\xbb\xbfx 1,y\r\n1,-2.5\r\n\r\n3e-2,4\r\n");
  expect_two_by_two("# 1,2,3\n\n  # more\nx;y\n1 -2.5\n# 7\n3e-2 4\n\n");
}

TEST(Csv, one_column_is_enough_and_4096_are_the_most) {
  EXPECT_THAT(parse("value\n1\n2\n").values, ElementsAre(1, 2));
  std::string row = "0";
  for (int i = 1; i < 4096; ++i) row += " 0";
  EXPECT_EQ(parse(row).n_columns, 4096U);
  EXPECT_EQ(refusal(row + " 0"), "some/a.csv:1: expected at most 4096 numbers, found 4097");
}

TEST(Csv, a_word_is_named_with_its_line) {
  EXPECT_EQ(refusal("1,2\n3,four\n"), "some/a.csv:2: expected a number, found \"four\"");
  EXPECT_EQ(refusal("1,x\n"), "some/a.csv:1: expected a number, found \"x\"");
  EXPECT_EQ(refusal("x,y\n# no second header\nu,v\n1,2"),
            "some/a.csv:3: expected a number, found \"u\"");
  EXPECT_EQ(refusal("1,2\n3,"), "some/a.csv:2: expected a number, found \"\"");
  EXPECT_EQ(refusal("1,2\n3,,4"), "some/a.csv:2: expected a number, found \"\"");
  EXPECT_EQ(refusal("1\n0x10\n"), "some/a.csv:2: expected a number, found \"0x10\"");
  EXPECT_EQ(refusal(std::string_view("1\n\x1b[1m\0\n", 8)),
            "some/a.csv:2: expected a number, found \"?[1m?\"");
  EXPECT_EQ(refusal("1\n" + std::string(100, 'x')),
            "some/a.csv:2: expected a number, found \"" + std::string(60, 'x') + "...\"");
}

TEST(Csv, a_decimal_comma_is_explained) {
  EXPECT_EQ(refusal("1,5;2\n"),
            "some/a.csv:1: expected a number, found \"1,5\"; decimals are written with a point");
}

TEST(Csv, numbers_that_are_none_are_refused) {
  EXPECT_EQ(refusal("1\nnan\n"),
            "some/a.csv:2: expected a finite number of single precision, found \"nan\"");
  EXPECT_THAT(refusal("inf,1\n"), HasSubstr("some/a.csv:1: expected a finite number"));
  EXPECT_THAT(refusal("1e39\n"), HasSubstr("some/a.csv:1: expected a finite number"));
  EXPECT_THAT(refusal("1\n1e400\n"), HasSubstr("some/a.csv:2: expected a number, found"));
}

TEST(Csv, lines_of_another_width_are_refused) {
  EXPECT_EQ(refusal("x,y\n1,2\n3,4\n5\n"),
            "some/a.csv:4: expected 2 numbers, as in line 2, found 1");
  EXPECT_EQ(refusal("1 2\n3 4 5\n"), "some/a.csv:2: expected 2 numbers, as in line 1, found 3");
  EXPECT_EQ(refusal("1,2\n3;4\n"), "some/a.csv:2: expected a number, found \"3;4\"");
}

TEST(Csv, a_file_without_numbers_is_refused) {
  for (const char* text : {"", "\n\n", "x,y\n", "# 1,2\n"}) {
    EXPECT_EQ(refusal(text), "some/a.csv: expected lines of numbers, found none") << text;
  }
  EXPECT_THAT(refusal(std::string(200'000, '1')), HasSubstr("expected at most 131072 characters"));
}

TEST(Csv, a_file_is_read_up_to_a_size) {
  const TemporaryFolder folder;
  write_file(folder / "a.csv", {'1', ',', '2', '\n'});
  EXPECT_THAT(read_csv(folder / "a.csv", 4).values, ElementsAre(1, 2));
  EXPECT_THAT(data_error([&] { read_csv(folder / "a.csv", 3); }),
              HasSubstr("a.csv: expected at most 3 bytes, found 4"));
}

}  // namespace
}  // namespace lipizz::data::csv_test
