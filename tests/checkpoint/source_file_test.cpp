#include "checkpoint/source_file.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include "checkpoint/support.hpp"
#include "core/error.hpp"

namespace lipizz::checkpoint::source_file_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string complaint(const std::filesystem::path& path) {
  try {
    const SourceFile file(path);
    static_cast<void>(file.first(file.size()));
    return "";
  } catch (const CheckpointError& error) {
    return error.what();
  }
}

std::string text(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(SourceFile, gives_as_many_bytes_as_are_asked_for_and_there) {
  const TemporaryFolder folder;
  testing::write_file(folder / "x", "twelve bytes");
  const SourceFile file(folder / "x");
  EXPECT_EQ(file.place(), (folder / "x").string());
  EXPECT_EQ(file.size(), 12U);
  EXPECT_EQ(text(file.first(6)), "twelve");
  EXPECT_EQ(text(file.first(100)), "twelve bytes");
  EXPECT_EQ(text(file.first(0)), "");
}

TEST(SourceFile, that_is_none_is_told) {
  const TemporaryFolder folder;
  testing::write_file(folder / "x", "a file");
  for (const char* name : {"none", "x/none", ""}) {
    EXPECT_THAT(complaint(folder / name), AllOf(HasSubstr((folder / name).string() + ": "),
                                                HasSubstr("expected a file, found none")));
  }
}

TEST(SourceFile, that_cannot_be_read_tells_the_system_s_reason) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder / "loop", folder / "loop");
  EXPECT_THAT(complaint(folder / "loop"), HasSubstr("cannot be read: Too many levels"));
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  testing::write_file(folder / "x", "secret");
  std::filesystem::permissions(folder / "x", std::filesystem::perms::none);
  EXPECT_THAT(complaint(folder / "x"), HasSubstr("cannot be read: Permission denied"));
}

TEST(SourceFile, beyond_all_memory_is_refused) {
  const TemporaryFolder folder;
  testing::write_file(folder / "x", "");
  std::filesystem::resize_file(folder / "x", std::uintmax_t{1} << 42);  // a hole
  EXPECT_THAT(complaint(folder / "x"), HasSubstr("expected a file that fits into memory"));
}

}  // namespace
}  // namespace lipizz::checkpoint::source_file_test
