#include "report/in_place.hpp"

#include <gtest/gtest.h>

namespace lipizz::report::in_place_test {
namespace {

TEST(InPlace, the_first_lines_begin_where_the_cursor_stands) {
  InPlace place;
  EXPECT_EQ(place.draw({"one", "two"}, 80), "one\x1b[K\ntwo\x1b[K\n");
}

TEST(InPlace, only_lines_that_differ_are_written_again) {
  InPlace place;
  place.draw({"one", "two", "three"}, 80);
  EXPECT_EQ(place.draw({"one", "2", "three"}, 80), "\r\x1b[3A\n2\x1b[K\n\n");
  EXPECT_EQ(place.draw({"one", "2", "three"}, 80), "");
}

TEST(InPlace, lines_that_are_no_more_are_erased) {
  InPlace place;
  place.draw({"one", "two"}, 80);
  EXPECT_EQ(place.draw({"one"}, 80), "\r\x1b[2A\n\x1b[J");
  EXPECT_EQ(place.erase(80), "\r\x1b[1A\x1b[J");
  EXPECT_EQ(place.erase(80), "");
}

TEST(InPlace, a_narrower_terminal_has_wrapped_what_was_there) {
  InPlace place;
  place.draw({"123456789", "1"}, 10);
  EXPECT_EQ(place.draw({"12345", "1"}, 8), "\r\x1b[3A\x1b[J12345\x1b[K\n1\x1b[K\n");
}

TEST(InPlace, lines_that_were_left_stay) {
  InPlace place;
  place.draw({"one"}, 80);
  place.leave();
  EXPECT_EQ(place.draw({"one"}, 80), "one\x1b[K\n");
}

}  // namespace
}  // namespace lipizz::report::in_place_test
