#include "app/new_folder.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "core/error.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::app::new_folder_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(NewFolder, appears_as_a_whole) {
  const TemporaryFolder base;
  NewFolder folder("generate", base / "made");
  std::ofstream(folder.path() / "file") << "text";
  EXPECT_FALSE(fs::exists(base / "made"));
  folder.put_in_place();
  EXPECT_TRUE(fs::exists(base / "made/file"));
  EXPECT_EQ(base.n_files(), 1U);
}

TEST(NewFolder, leaves_nothing_where_it_is_let_go) {
  const TemporaryFolder base;
  {
    const NewFolder folder("generate", base / "made");
    std::ofstream(folder.path() / "file") << "text";
  }
  EXPECT_EQ(base.n_files(), 0U);
}

TEST(NewFolder, replaces_nothing) {
  const TemporaryFolder base;
  std::ofstream(base / "there") << "mine";
  EXPECT_THAT([&] { const NewFolder folder("generate", base / "there"); },
              ThrowsMessage<ConfigError>(HasSubstr("there exists; remove it, or name another")));
  EXPECT_THAT([&] { const NewFolder folder("generate", base / "missing/made"); },
              ThrowsMessage<CheckpointError>(HasSubstr("missing/made")));
  EXPECT_EQ(base.n_files(), 1U);
}

}  // namespace
}  // namespace lipizz::app::new_folder_test
