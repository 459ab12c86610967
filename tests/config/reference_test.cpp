#include "config/reference.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "config/fields.hpp"

namespace lipizz::config {
namespace {

TEST(Reference, the_committed_page_is_current) {
  std::ifstream stream(LIPIZZ_SOURCE_DIR "/docs/configuration.md");
  const std::string committed{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(committed == reference_page())
      << "refresh it: lipizz config reference > docs/configuration.md";
}

TEST(Reference, every_setting_stands_in_the_page) {
  Experiment experiment;
  const std::string page = reference_page();
  for (const Field& field : fields(experiment)) {
    EXPECT_THAT(page, ::testing::HasSubstr("| `" + field.path + "` |"));
  }
}

}  // namespace
}  // namespace lipizz::config
