#include "checkpoint/atomic_file.hpp"

#include <gmock/gmock.h>

#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::checkpoint {
namespace {

using testing::read_file;
using testing::TemporaryFolder;

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(AtomicFile, appears_whole_under_its_name_alone) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "weights");
  file.write(bytes("one "));
  file.write(bytes("two"));
  EXPECT_FALSE(std::filesystem::exists(folder / "weights"));
  file.commit();
  EXPECT_EQ(read_file(folder / "weights"), "one two");
  EXPECT_EQ(folder.n_files(), 1);
}

TEST(AtomicFile, leaves_what_was_there_when_it_is_given_up) {
  const TemporaryFolder folder;
  testing::write_file(folder / "weights", "old");
  { AtomicFile(folder / "weights").write(bytes("new")); }
  EXPECT_EQ(read_file(folder / "weights"), "old");
  EXPECT_EQ(folder.n_files(), 1);
}

TEST(AtomicFile, a_folder_that_is_not_there_is_named) {
  const TemporaryFolder folder;
  try {
    AtomicFile file(folder / "missing/weights");
    FAIL();
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr((folder / "missing/weights").string()));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("No such file"));
  }
}

TEST(AtomicFile, a_name_that_is_taken_by_a_folder_is_told_and_nothing_is_left) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "weights");
  EXPECT_THROW(AtomicFile(folder / "weights").commit(), CheckpointError);
  EXPECT_TRUE(std::filesystem::is_directory(folder / "weights"));
  EXPECT_EQ(folder.n_files(), 1);
}

TEST(WriteAtomically, replaces_what_was_there_by_the_whole_content) {
  const TemporaryFolder folder;
  testing::write_file(folder / "weights", "old and longer");
  write_atomically(folder / "weights", bytes("new"));
  EXPECT_EQ(read_file(folder / "weights"), "new");
  EXPECT_EQ(folder.n_files(), 1);
}

TEST(WriteAtomically, what_cannot_be_written_leaves_nothing) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_atomically(folder / "missing/weights", bytes("new")), CheckpointError);
  std::filesystem::create_directory(folder / "weights");
  EXPECT_THROW(write_atomically(folder / "weights", bytes("new")), CheckpointError);
  EXPECT_EQ(folder.n_files(), 1) << "the folder that took the name";
}

}  // namespace
}  // namespace lipizz::checkpoint
