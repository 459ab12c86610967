#include "app/help_text.hpp"

#include <gmock/gmock.h>

namespace lipizz::app {
namespace {

using ::testing::HasSubstr;

TEST(HelpText, shows_commands_options_and_settings) {
  for (const char* word : {"config check FILE", "--grid RxC", "--dry-run", "How long to train",
                           "tournament: size = 2 (2 to 1000 members)"}) {
    EXPECT_THAT(help_text(), HasSubstr(word));
  }
}

}  // namespace
}  // namespace lipizz::app
