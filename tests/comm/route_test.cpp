#include "comm/route.hpp"

#include <gtest/gtest.h>

namespace lipizz::comm::route_test {
namespace {

TEST(Route, names_the_communicators_of_perez_et_al) {
  EXPECT_EQ(to_string(Scope::kWorld), "WORLD");
  EXPECT_EQ(to_string(Scope::kLocal), "LOCAL");
  EXPECT_EQ(to_string(Scope::kGlobal), "GLOBAL");
  EXPECT_EQ(to_string(Scope::kCell), "CELL");
}

}  // namespace
}  // namespace lipizz::comm::route_test
