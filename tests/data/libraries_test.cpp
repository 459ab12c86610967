#include "data/libraries.hpp"

#include <gtest/gtest.h>

#include <cctype>

namespace lipizz::data::libraries_test {
namespace {

TEST(Libraries, tell_what_reads_and_writes) {
  const std::vector<Library> all = libraries();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name, "zlib");
  for (const auto& [name, version] : all) {
    EXPECT_TRUE(std::isdigit(version.front())) << name << " " << version;
  }
}

}  // namespace
}  // namespace lipizz::data::libraries_test
