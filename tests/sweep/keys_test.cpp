#include "sweep/keys.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace lipizz::sweep::keys_test {
namespace {

TEST(Keys, an_object_has_its_own) {
  EXPECT_THAT(names_of("stop_early"), ::testing::ElementsAre("rungs", "keep"));
  EXPECT_THAT(names_of("nothing"), ::testing::IsEmpty());
}

TEST(Keys, the_page_on_sweeps_shows_all_of_them) {
  std::ifstream file(LIPIZZ_SOURCE_DIR "/docs/sweeps.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(page, ::testing::HasSubstr(reference_tables())) << "docs/sweeps.md must hold:\n"
                                                              << reference_tables();
}

}  // namespace
}  // namespace lipizz::sweep::keys_test
