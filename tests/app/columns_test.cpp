#include "app/columns.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lipizz::app::columns_test {
namespace {

TEST(Columns, never_run_into_one_another) {
  const std::vector<setup::Entry> entries{{"a", "the first"}, {"longer", "the second"}, {"b", ""}};
  EXPECT_EQ(columns(entries), "a       the first\nlonger  the second\nb\n");
  EXPECT_EQ(columns(entries, "  "), "  a       the first\n  longer  the second\n  b\n");
  EXPECT_EQ(columns({}), "");
}

}  // namespace
}  // namespace lipizz::app::columns_test
