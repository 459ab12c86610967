#include "app/registries.hpp"

#include <gmock/gmock.h>

#include <set>

#include "core/error.hpp"

namespace lipizz::app::registries_test {
namespace {

TEST(Registries, names_stand_once_each_with_a_summary) {
  for (const setup::Registry& kind : listed_registries()) {
    std::set<std::string> seen;
    for (const setup::Entry& entry : kind.entries()) {
      EXPECT_TRUE(seen.insert(entry.name).second) << kind.name << " " << entry.name;
      EXPECT_FALSE(entry.summary.empty()) << kind.name << " " << entry.name;
    }
    // Experiments come with a program that lies where it belongs.
    EXPECT_TRUE(!seen.empty() || kind.name == "configs") << kind.name;
  }
}

TEST(Registries, are_listed_by_name_with_all_that_settings_name) {
  std::set<std::string_view> names;
  for (const setup::Registry& kind : listed_registries()) {
    EXPECT_TRUE(names.empty() || *names.rbegin() < kind.name) << kind.name;
    names.insert(kind.name);
  }
  for (const setup::Registry& kind : setup::registries()) EXPECT_TRUE(names.contains(kind.name));
}

TEST(Registries, a_misspelt_kind_gets_the_nearest) {
  EXPECT_EQ(find_listed("losses").name, "losses");
  try {
    find_listed("loses");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "there is nothing to list called \"loses\"; did you mean \"losses\"?");
  }
  try {
    find_listed("foo");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "there is nothing to list called \"foo\"; `lipizz list` has all");
  }
}

}  // namespace
}  // namespace lipizz::app::registries_test
