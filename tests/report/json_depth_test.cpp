#include "report/json_depth.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lipizz::report::json_depth_test {
namespace {

TEST(JsonDepth, counts_what_is_open) {
  EXPECT_TRUE(is_shallow_json("", 1));
  EXPECT_TRUE(is_shallow_json("[1],[2]", 1));
  EXPECT_FALSE(is_shallow_json("[{}]", 1));
  EXPECT_TRUE(is_shallow_json(R"([{"a":[]}])", 3));
  EXPECT_FALSE(is_shallow_json(std::string(100'000, '[')));
}

TEST(JsonDepth, brackets_in_strings_do_not_count) {
  EXPECT_TRUE(is_shallow_json(R"(["[[[[","\"[[["])", 1));
  EXPECT_FALSE(is_shallow_json(R"(["\\",[]])", 1));
}

TEST(JsonDepth, what_is_closed_too_often_does_not_buy_depth) {
  EXPECT_FALSE(is_shallow_json("]]]][[", 1));
}

}  // namespace
}  // namespace lipizz::report::json_depth_test
