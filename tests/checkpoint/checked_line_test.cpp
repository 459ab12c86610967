#include "checkpoint/checked_line.hpp"

#include <gtest/gtest.h>

namespace lipizz::checkpoint::checked_line_test {
namespace {

TEST(CheckedLine, is_the_object_with_one_more_key) {
  EXPECT_EQ(checked_line(R"({"cell":0})"), R"({"cell":0,"check":"69123d6f5a8de226"})");
  EXPECT_TRUE(is_whole(checked_line(R"({"cell":0})")));
  EXPECT_TRUE(is_whole(checked_line(R"({"text":"a, b","list":[1,2]})")));
}

TEST(CheckedLine, no_changed_lost_or_added_character_goes_unnoticed) {
  const std::string good = checked_line(R"({"generation":12,"score":0.5})");
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    EXPECT_FALSE(is_whole(bad)) << bad;
    bad = good;
    bad.erase(i, 1);
    EXPECT_FALSE(is_whole(bad)) << bad;
    EXPECT_FALSE(is_whole(good.substr(0, i)));
  }
  EXPECT_FALSE(is_whole(good + " "));
  EXPECT_FALSE(is_whole(std::string(4096, '\0')));
}

TEST(CheckedLine, a_line_without_one_is_not_whole) {
  EXPECT_FALSE(is_whole(R"({"generation":1})"));
  EXPECT_FALSE(is_whole(""));
}

}  // namespace
}  // namespace lipizz::checkpoint::checked_line_test
