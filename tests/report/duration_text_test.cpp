#include "report/duration_text.hpp"

#include <gtest/gtest.h>

namespace lipizz::report::duration_text_test {
namespace {

TEST(DurationText, is_as_long_as_it_is_precise) {
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(45.4), "45 s");
  EXPECT_EQ(duration_text(99.4), "99 s");
  EXPECT_EQ(duration_text(99.6), "2 min");
  EXPECT_EQ(duration_text(720), "12 min");
  EXPECT_EQ(duration_text(12000), "3 h 20 min");
  EXPECT_EQ(duration_text(187200), "2 d 4 h");
}

}  // namespace
}  // namespace lipizz::report::duration_text_test
