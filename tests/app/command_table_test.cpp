#include "app/command_table.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.hpp"

namespace lipizz::app::command_table_test {
namespace {

using Words = std::vector<std::string>;

TEST(CommandTable, a_command_is_found_by_its_first_words) {
  for (const CommandEntry& entry : commands()) {
    Words words{entry.words};
    if (const auto space = words[0].find(' '); space != std::string::npos) {
      words = {words[0].substr(0, space), words[0].substr(space + 1)};
    }
    EXPECT_EQ(n_words_of(entry), words.size());
    words.emplace_back("more");
    EXPECT_STREQ(find_command(words).words, entry.words);
  }
  EXPECT_THROW(find_command(Words{"config"}), ConfigError);
}

TEST(CommandTable, a_first_word_names_all_that_begin_with_it) {
  EXPECT_EQ(find_commands(Words{"config"}).size(), 3U);
  ASSERT_EQ(find_commands(Words{"config", "print", "x"}).size(), 1U);
  EXPECT_STREQ(find_commands(Words{"config", "print", "x"}).front()->words, "config print");
  EXPECT_THROW(find_commands(Words{"conf"}), ConfigError);
}

TEST(CommandTable, an_argument_is_there_where_it_must_be_and_nowhere_else) {
  const CommandEntry& check = find_command(Words{"config", "check"});
  EXPECT_EQ(arguments_of(check, Words{"a"}), Words{"a"});
  EXPECT_THROW(arguments_of(check, {}), ConfigError);
  EXPECT_THROW(arguments_of(check, Words{"a", "b"}), ConfigError);
  const CommandEntry& list = find_command(Words{"list"});
  EXPECT_EQ(arguments_of(list, {}), Words{});
  EXPECT_EQ(arguments_of(list, Words{"losses"}), Words{"losses"});
  EXPECT_THROW(arguments_of(find_command(Words{"launch"}), Words{"a"}), ConfigError);
}

TEST(CommandTable, of_an_argument_there_may_be_one_or_more) {
  const CommandEntry entry{.words = "a", .arguments = "RUN...", .summary = ""};
  EXPECT_EQ(arguments_of(entry, Words{"b", "c", "d"}), (Words{"b", "c", "d"}));
  EXPECT_THROW(arguments_of(entry, {}), ConfigError);
  const CommandEntry any{.words = "a", .arguments = "[RUN...]", .summary = ""};
  EXPECT_EQ(arguments_of(any, Words{"b", "c"}), (Words{"b", "c"}));
  EXPECT_EQ(arguments_of(any, {}), Words{});
}

TEST(CommandTable, training_alone_has_no_function) {
  for (const CommandEntry& entry : commands()) {
    EXPECT_EQ(entry.run == nullptr, std::string(entry.words) == "train") << entry.words;
  }
}

}  // namespace
}  // namespace lipizz::app::command_table_test
