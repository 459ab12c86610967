#include "report/setting_differences.hpp"

#include <gtest/gtest.h>

#include "config/json.hpp"

namespace lipizz::report::setting_differences_test {
namespace {

using Strings = std::vector<std::string>;

std::vector<config::Experiment> experiments(const std::vector<Strings>& assignments) {
  std::vector<config::Experiment> all;
  for (const Strings& of_one : assignments) {
    all.emplace_back();
    for (const std::string& assignment : of_one) config::apply_assignment(assignment, all.back());
  }
  return all;
}

TEST(SettingDifferences, equal_experiments_have_none) {
  EXPECT_TRUE(setting_differences({}).empty());
  EXPECT_TRUE(setting_differences(experiments({{"seed=2"}})).empty());
  EXPECT_TRUE(setting_differences(experiments({{"seed=2"}, {"seed=2"}, {"seed=2"}})).empty());
}

TEST(SettingDifferences, are_in_the_order_of_the_reference_with_each_value) {
  const auto found = setting_differences(experiments(
      {{"generator.learning_rate=0.002", "name=a"}, {"seed=2", "name=b"}, {"seed=2", "name=c d"}}));
  ASSERT_EQ(found.size(), 3);
  EXPECT_EQ(found[0].path, "name");
  EXPECT_EQ(found[0].values, (Strings{"a", "b", "c d"}));
  EXPECT_EQ(found[1].path, "seed");
  EXPECT_EQ(found[1].values, (Strings{"1", "2", "2"}));
  EXPECT_EQ(found[2].path, "generator.learning_rate");
  EXPECT_EQ(found[2].values, (Strings{"0.002", "0.001", "0.001"}));
}

TEST(SettingDifferences, an_operators_parameters_are_settings_of_their_own) {
  const auto found =
      setting_differences(experiments({{R"(selection={"kind":"tournament","size":2})"},
                                       {R"(selection={"kind":"tournament","size":3})"}}));
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].path, "selection.size");
  EXPECT_EQ(found[0].values, (Strings{"2", "3"}));
}

TEST(SettingDifferences, a_parameter_that_another_kind_lacks_is_empty_there) {
  const auto found = setting_differences(
      experiments({{"selection=own"}, {R"(selection={"kind":"tournament","size":3})"}}));
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].path, "selection");
  EXPECT_EQ(found[0].values, (Strings{"own", "tournament"}));
  EXPECT_EQ(found[1].path, "selection.size");
  EXPECT_EQ(found[1].values, (Strings{"", "3"}));
}

// They can be typed again as they are shown.
TEST(SettingDifferences, values_are_as_on_a_command_line) {
  const auto all = experiments({{R"(name=a "b")", "augmentation=color,cutout"}, {"name=c"}});
  for (const SettingDifference& difference : setting_differences(all)) {
    if (difference.path == "name") continue;
    config::Experiment again;
    config::apply_value(difference.path, difference.values[0], "test", again);
    EXPECT_EQ(again.data.augmentation, all[0].data.augmentation);
  }
  EXPECT_EQ(setting_differences(all)[0].values[0], R"("a \"b\"")");
}

}  // namespace
}  // namespace lipizz::report::setting_differences_test
