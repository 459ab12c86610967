#include "app/options.hpp"

#include <gmock/gmock.h>

#include "config/fields.hpp"
#include "core/error.hpp"

namespace lipizz::app::options_test {
namespace {

using Arguments = std::vector<std::string>;

TEST(Options, are_told_apart_from_words) {
  const ParsedOptions given =
      parse_options(Arguments{"config", "--seed", "3", "check", "--set=a=b", "--set", "c=d"});
  EXPECT_THAT(given.words(), ::testing::ElementsAre("config", "check"));
  EXPECT_THAT(given.list("set"), ::testing::ElementsAre("a=b", "c=d"));
  EXPECT_EQ(given.text("seed"), "3");
  EXPECT_EQ(given.text("grid"), "");
  EXPECT_FALSE(given.has("grid"));
  ASSERT_FALSE(given.typed.empty());
}

TEST(Options, are_never_guessed) {
  EXPECT_THROW(parse_options(Arguments{"--see", "3"}), ConfigError);
  EXPECT_THROW(parse_options(Arguments{"--seed"}), ConfigError);
}

TEST(Options, those_of_settings_are_described_by_them) {
  config::Experiment experiment;
  for (const SettingOption& option : kSettingOptions) {
    const auto fields = config::fields(experiment);
    const auto field = std::ranges::find(fields, option.path, &config::Field::path);
    ASSERT_NE(field, fields.end()) << option.path;
    EXPECT_THAT(experiment_options().find(option.name, false).description(),
                ::testing::StartsWith(std::string(field->summary)));
  }
}

TEST(Options, one_of_several_groups_takes_a_value_in_all_of_them_or_in_none) {
  const auto all = all_options();
  for (const OptionGroup group : kOptionGroups) {
    const auto options = group();
    for (const auto& option : options.options()) {
      const auto& same = all.find(option->long_name(), false);
      EXPECT_EQ(same.semantic()->max_tokens(), option->semantic()->max_tokens())
          << option->long_name();
    }
  }
}

}  // namespace
}  // namespace lipizz::app::options_test
