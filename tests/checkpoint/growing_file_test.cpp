#include "checkpoint/growing_file.hpp"

#include <gmock/gmock.h>

#include <utility>

#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::checkpoint::growing_file_test {
namespace {

using testing::read_file;

TEST(GrowingFile, goes_on_behind_what_is_there) {
  const TemporaryFolder folder;
  GrowingFile(folder / "x").append("one\n");
  GrowingFile file(folder / "x");
  file.append("two\n");
  const GrowingFile moved = std::move(file);
  moved.append("three\n");
  moved.sync();
  EXPECT_EQ(read_file(folder / "x"), "one\ntwo\nthree\n");
  EXPECT_EQ(moved.content(), "one\ntwo\nthree\n");
}

TEST(GrowingFile, its_content_outlives_its_name) {
  const TemporaryFolder folder;
  const GrowingFile file(folder / "x");
  const std::string long_text(200'000, 'a');
  file.append(long_text);
  std::filesystem::remove(folder / "x");
  file.append("b");
  EXPECT_EQ(file.content(), long_text + "b");
}

TEST(GrowingFile, what_cannot_be_opened_or_written_is_told) {
  const TemporaryFolder folder;
  EXPECT_THROW(GrowingFile(folder / "none/x"), CheckpointError);
  const GrowingFile full("/dev/full");
  try {
    full.append("x");
    FAIL();
  } catch (const CheckpointError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("cannot write /dev/full: No space left"));
  }
}

}  // namespace
}  // namespace lipizz::checkpoint::growing_file_test
