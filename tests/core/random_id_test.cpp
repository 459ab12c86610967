#include "core/random_id.hpp"

#include <gtest/gtest.h>

#include <set>

namespace lipizz::random_id_test {
namespace {

TEST(RandomId, is_another_each_time) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.insert(random_id());
  EXPECT_EQ(ids.size(), 100U);
  for (const std::string& id : ids) {
    EXPECT_EQ(id.size(), 16U);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos) << id;
  }
}

}  // namespace
}  // namespace lipizz::random_id_test
