#include "core/growing_file.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <utility>

#include "checkpoint/support.hpp"
#include "core/error.hpp"
#include "support/small_disk.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::growing_file_test {
namespace {

using checkpoint::testing::read_file;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(GrowingFile, goes_on_behind_what_is_there) {
  const TemporaryFolder folder;
  GrowingFile(folder / "x").append("one\n");
  GrowingFile file(folder / "x");
  file.append("two\n");
  GrowingFile moved = std::move(file);
  moved.append("three\n");
  moved.sync();
  EXPECT_EQ(read_file(folder / "x"), "one\ntwo\nthree\n");
  EXPECT_EQ(moved.content(), "one\ntwo\nthree\n");
}

TEST(GrowingFile, its_content_outlives_its_name) {
  const TemporaryFolder folder;
  GrowingFile file(folder / "x");
  const std::string long_text(200'000, 'a');
  file.append(long_text);
  std::filesystem::remove(folder / "x");
  file.append("b");
  EXPECT_EQ(file.content(), long_text + "b");
}

std::string complaint_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const CheckpointError& error) {
    return error.what();
  }
  return {};
}

TEST(GrowingFile, what_cannot_be_opened_or_written_is_told) {
  const TemporaryFolder folder;
  EXPECT_THROW(GrowingFile(folder / "none/x"), CheckpointError);
  GrowingFile full("/dev/full");
  full.append("x");
  EXPECT_THAT(complaint_of([&] { full.sync(); }),
              StartsWith("cannot write /dev/full: No space left"));
}

TEST(GrowingFile, waits_for_room_up_to_a_limit) {
  GrowingFile full("/dev/full");
  const std::string text(32 << 20, 'a');
  full.append(text);
  full.append(text);
  EXPECT_THAT(full.shortage(), StartsWith("cannot write /dev/full: No space left"));
  EXPECT_THROW(full.append("b"), CheckpointError);
}

class FileOnSmallDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!disk_.is_mounted()) GTEST_SKIP() << "may not mount a small file system";
  }
  std::string content_on_disk() { return read_file(disk_ / "x"); }

  SmallDisk disk_;
};

TEST_F(FileOnSmallDisk, text_waits_for_room_and_keeps_its_order) {
  GrowingFile file(disk_ / "x");
  file.append("one\n");
  GrowingFile moved = std::move(file);
  moved.append("two\n");
  EXPECT_THAT(moved.shortage(), HasSubstr("No space left"));
  EXPECT_THROW(moved.sync(), CheckpointError);
  EXPECT_EQ(content_on_disk(), "");
  EXPECT_EQ(moved.content(), "one\ntwo\n");

  disk_.make_room();
  moved.append("three\n");
  EXPECT_EQ(moved.shortage(), "");
  moved.sync();
  EXPECT_EQ(content_on_disk(), "one\ntwo\nthree\n");
}

TEST_F(FileOnSmallDisk, the_end_of_a_text_waits_where_its_beginning_has_room) {
  disk_.make_room();
  GrowingFile file(disk_ / "x");
  const std::string long_text(std::size_t{96} << 10, 'a');
  file.append(long_text);
  const std::size_t n_written = content_on_disk().size();
  EXPECT_GT(n_written, 0U);
  EXPECT_LT(n_written, long_text.size());
  file.append("b");
  EXPECT_EQ(file.content(), long_text + "b");
  ASSERT_TRUE(disk_.grow());
  file.sync();
  EXPECT_EQ(content_on_disk(), long_text + "b");
}

TEST_F(FileOnSmallDisk, what_waits_at_the_end_is_written_if_there_is_room_then) {
  {
    GrowingFile file(disk_ / "x");
    file.append("one\n");
    disk_.make_room();
  }
  EXPECT_EQ(content_on_disk(), "one\n");
}

}  // namespace
}  // namespace lipizz::growing_file_test
