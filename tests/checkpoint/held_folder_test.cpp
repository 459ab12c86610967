#include "checkpoint/held_folder.hpp"

#include <gmock/gmock.h>

#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::checkpoint::held_folder_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Fixture {
  TemporaryFolder folder;
  fs::path run = folder / "run";
  HeldFolder held{run};
};

TEST(HeldFolder, is_made_where_it_is_not_there) {
  const Fixture disk;
  EXPECT_TRUE(fs::is_directory(disk.run));
  EXPECT_EQ(disk.held.path(), disk.run);
  EXPECT_EQ(disk.held.loss(), "");
  EXPECT_EQ(disk.held.present(), disk.run);
}

TEST(HeldFolder, that_is_renamed_is_found) {
  const Fixture disk;
  fs::rename(disk.run, disk.folder / "moved");
  const std::string moved = fs::canonical(disk.folder / "moved").string();
  EXPECT_EQ(disk.held.loss(), "was renamed to " + moved);
  EXPECT_EQ(disk.held.present(), moved);
  fs::create_directory(disk.run);
  EXPECT_EQ(disk.held.present(), moved) << "what is in its place is somebody else's";
  fs::remove(disk.run);
  fs::rename(disk.folder / "moved", disk.run);
  EXPECT_EQ(disk.held.loss(), "");
}

TEST(HeldFolder, that_is_removed_has_one_beside_its_old_place) {
  const Fixture disk;
  const HeldFolder another_rank(disk.run);
  fs::remove(disk.run);
  EXPECT_EQ(disk.held.loss(), "was removed");
  const fs::path rescue = disk.held.present();
  EXPECT_THAT(rescue.string(), StartsWith(disk.run.string() + "-rescued-"));
  EXPECT_TRUE(fs::is_directory(rescue));
  EXPECT_EQ(another_rank.present(), rescue);
  fs::create_directory(disk.run);
  EXPECT_EQ(disk.held.loss(), "was removed") << "a new one is not it";
  EXPECT_EQ(disk.held.present(), rescue);
}

TEST(HeldFolder, that_is_removed_with_its_parent_is_told) {
  const TemporaryFolder folder;
  const HeldFolder held(folder / "a/run");
  fs::remove_all(folder / "a");
  EXPECT_EQ(held.loss(), "was removed");
  EXPECT_THROW(static_cast<void>(held.present()), CheckpointError);
}

TEST(HeldFolder, that_cannot_be_made_is_told) {
  const TemporaryFolder folder;
  testing::write_file(folder / "plain", "a file");
  EXPECT_THROW(HeldFolder(folder / "plain/run"), CheckpointError);
  EXPECT_THROW(HeldFolder(folder / "plain"), CheckpointError);
}

}  // namespace
}  // namespace lipizz::checkpoint::held_folder_test
