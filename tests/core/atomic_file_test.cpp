#include "core/atomic_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>

#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::atomic_file_test {
namespace {

using checkpoint::testing::read_file;
using checkpoint::testing::write_file;

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
  write_file(folder / "weights", "old");
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

// As on a shared disk where somebody puts links where a file will be written.
TEST(AtomicFile, its_temporary_name_is_another_one_each_time) {
  const TemporaryFolder folder;
  const auto name_of_temporary = [&] {
    const AtomicFile file(folder / "weights");
    return std::filesystem::directory_iterator(folder / "")->path().filename().string();
  };
  const std::string first = name_of_temporary();
  EXPECT_THAT(first, ::testing::MatchesRegex("weights.tmp-[0-9a-f]{16}"));
  EXPECT_NE(first, name_of_temporary());
  EXPECT_EQ(folder.n_files(), 0);
}

TEST(AtomicFile, what_does_not_fit_is_told_and_nothing_is_left) {
  const TemporaryFolder folder;
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { .rlim_cur = 4, .rlim_max = before.rlim_max };
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  try {
    write_atomically(folder / "weights", "longer than that");
    ADD_FAILURE() << "written";
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("cannot write " + (folder / "weights").string()));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("has room"));
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(folder.n_files(), 0);
}

TEST(WriteAtomically, replaces_what_was_there_by_the_whole_content) {
  const TemporaryFolder folder;
  write_file(folder / "weights", "old and longer");
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
}  // namespace lipizz::atomic_file_test
