#include "core/durable_folder.hpp"

#include <gmock/gmock.h>

#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::durable_folder_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

template <class Action>
std::string complaint(const Action& action) {
  try {
    action();
    return "";
  } catch (const CheckpointError& error) {
    return error.what();
  }
}

TEST(DurableFolder, is_made_by_whoever_comes_first) {
  const TemporaryFolder folder;
  make_folder(folder / "a");
  make_folder(folder / "a");
  EXPECT_TRUE(fs::is_directory(folder / "a"));
}

TEST(DurableFolder, a_link_to_nowhere_is_there) {
  const TemporaryFolder folder;
  fs::create_symlink("nowhere", folder / "link");
  EXPECT_FALSE(is_missing(folder / "link"));
  EXPECT_FALSE(is_missing(folder / "."));
  EXPECT_TRUE(is_missing(folder / "a"));
  EXPECT_TRUE(is_missing(folder / "link/a"));
}

TEST(DurableFolder, its_parent_is_only_made_where_that_is_asked_for) {
  const TemporaryFolder folder;
  EXPECT_THAT(complaint([&] { make_folder(folder / "a/b"); }),
              AllOf(HasSubstr((folder / "a/b").string()), HasSubstr("No such file")));
  EXPECT_FALSE(fs::exists(folder / "a"));
  make_folders(folder / "a/b/c");
  EXPECT_TRUE(fs::is_directory(folder / "a/b/c"));
}

TEST(DurableFolder, a_folder_takes_the_place_of_another_whole) {
  const TemporaryFolder folder;
  const auto make = [&](const char* file) {
    make_folder(folder / "made");
    checkpoint::testing::write_file(folder / "made" / file, "");
  };
  make("first");
  replace_folder(folder / "made", folder / "kept");
  EXPECT_TRUE(fs::exists(folder / "kept/first"));
  make("second");
  make_folder(folder / "kept.old");  // of one that was interrupted
  replace_folder(folder / "made", folder / "kept");
  EXPECT_TRUE(fs::exists(folder / "kept/second"));
  EXPECT_FALSE(fs::exists(folder / "kept/first"));
  EXPECT_EQ(folder.n_files(), 1U) << "nothing else is left";
  EXPECT_THAT(complaint([&] { replace_folder(folder / "none", folder / "kept"); }),
              HasSubstr("kept"));
}

TEST(DurableFolder, what_is_in_its_place_is_told) {
  const TemporaryFolder folder;
  checkpoint::testing::write_file(folder / "plain", "a file");
  EXPECT_THAT(complaint([&] { make_folder(folder / "plain"); }),
              AllOf(HasSubstr("plain"), HasSubstr("expected a folder, found a file")));
  EXPECT_THAT(complaint([&] { make_folders(folder / "plain/a"); }),
              AllOf(HasSubstr("plain"), HasSubstr("expected a folder, found a file")));
}

TEST(DurableFolder, a_loop_of_links_is_told) {
  const TemporaryFolder folder;
  fs::create_symlink("loop", folder / "loop");
  EXPECT_THAT(complaint([&] { make_folders(folder / "loop/a"); }), HasSubstr("symbolic links"));
}

TEST(DurableFolder, one_that_cannot_be_put_on_the_disk_is_told) {
  const TemporaryFolder folder;
  EXPECT_EQ(complaint([&] { sync_folder(folder / ""); }), "");
  EXPECT_EQ(complaint([] { sync_folder({}); }), "");
  EXPECT_THAT(complaint([&] { sync_folder(folder / "none"); }),
              AllOf(HasSubstr("none"), HasSubstr("No such file")));
}

}  // namespace
}  // namespace lipizz::durable_folder_test
