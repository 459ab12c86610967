#include "app/help_text.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "app/command_table.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace lipizz::app::help_text_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Words = std::vector<std::string>;

TEST(HelpText, of_the_program_shows_commands_options_and_settings) {
  for (const char* word : {"config check FILE", "--grid RxC", "--dry-run", "How long to train",
                           "tournament: size = 2 (2 to 1000 members)"}) {
    EXPECT_THAT(help_text({}), HasSubstr(word));
  }
}

TEST(HelpText, of_a_command_shows_its_own_options_alone) {
  EXPECT_THAT(
      help_text(Words{"launch"}),
      AllOf(StartsWith("lipizz launch [OPTIONS] [-- MPIRUN OPTIONS]\n\nTrains under mpirun"),
            HasSubstr("--spares"), HasSubstr("--grid"), Not(HasSubstr("--verbose"))));
  EXPECT_THAT(help_text(Words{"train"}), AllOf(HasSubstr("--grid"), Not(HasSubstr("--spares"))));
  EXPECT_THAT(help_text(Words{"list", "losses"}),
              AllOf(StartsWith("lipizz list [OPTIONS] [KIND]\n"), HasSubstr("--verbose"),
                    Not(HasSubstr("--grid"))));
  EXPECT_EQ(help_text(Words{"config", "check"}),
            "lipizz config check FILE\n\nSays whether FILE is valid.\n");
}

TEST(HelpText, there_is_one_for_every_command) {
  for (const CommandEntry& entry : commands()) {
    const std::string text = help_text(split(entry.words, ' '));
    EXPECT_THAT(text, AllOf(StartsWith(std::string("lipizz ") + entry.words),
                            HasSubstr(entry.summary), HasSubstr(entry.details)));
    EXPECT_THAT(introduction(), HasSubstr(entry.summary));
  }
}

TEST(HelpText, of_a_first_word_is_about_all_that_begin_with_it) {
  const std::string text = help_text(Words{"config"});
  for (const char* one :
       {"lipizz config check", "lipizz config print", "lipizz config reference"}) {
    EXPECT_THAT(text, HasSubstr(one));
  }
  EXPECT_THROW(help_text(Words{"confg"}), ConfigError);
  EXPECT_THROW(help_text(Words{"config", "chekc"}), ConfigError);
}

TEST(HelpText, columns_stand_apart) {
  EXPECT_THAT(introduction(), HasSubstr("\n  launch [-- MPIRUN OPTIONS]  Trains under mpirun, "));
}

}  // namespace
}  // namespace lipizz::app::help_text_test
