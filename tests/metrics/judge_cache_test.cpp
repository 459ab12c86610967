#include "metrics/judge_cache.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "core/error.hpp"
#include "metrics/support.hpp"

namespace lipizz::metrics {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

const Bytes kGood{std::byte{1}, std::byte{2}};

// Calls cached() for bytes that are good when they are kGood, and writes down what happened.
struct Call {
  explicit Call(const std::filesystem::path& folder) {
    const auto accept = [](std::span<const std::byte> found) {
      if (!std::ranges::equal(found, kGood)) throw CommError("not good");
    };
    const auto make = [&] {
      made = true;
      return kGood;
    };
    const auto log = [&](std::string_view line) { lines.emplace_back(line); };
    bytes = cached(folder, "file", accept, make, log);
  }
  Bytes bytes;
  bool made = false;
  std::vector<std::string> lines;
};

TEST(JudgeCache, makes_once_then_reads) {
  const TemporaryFolder folder;
  const Call first(folder.path() / "a/b");
  EXPECT_TRUE(first.made);
  const Call second(folder.path() / "a/b");
  EXPECT_FALSE(second.made);
  EXPECT_EQ(second.bytes, kGood);
  EXPECT_TRUE(first.lines.empty() && second.lines.empty());
}

TEST(JudgeCache, replaces_what_is_not_accepted_and_says_so) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "bad";
  const Call call(folder.path());
  EXPECT_TRUE(call.made);
  EXPECT_EQ(call.bytes, kGood);
  EXPECT_THAT(call.lines, ElementsAre(HasSubstr("not good")));
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "file"), 2U);
  EXPECT_EQ(folder.files().size(), 1U);
}

TEST(JudgeCache, a_huge_file_is_not_read) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file").close();
  std::filesystem::resize_file(folder.path() / "file", std::uintmax_t{1} << 40);  // a hole
  EXPECT_TRUE(Call(folder.path()).made);
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "file"), 2U);
}

TEST(JudgeCache, a_folder_that_cannot_be_made_is_only_logged) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "occupied") << "a file";
  const Call call(folder.path() / "occupied/cache");
  EXPECT_EQ(call.bytes, kGood);
  EXPECT_THAT(call.lines, ElementsAre(HasSubstr("cannot keep")));
  EXPECT_EQ(folder.files().size(), 1U);
}

TEST(JudgeCache, a_name_that_is_a_folder_is_left_alone) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "file/inner");
  const Call call(folder.path());
  EXPECT_EQ(call.bytes, kGood);
  EXPECT_THAT(call.lines, ElementsAre(HasSubstr("cannot keep")));
  EXPECT_EQ(folder.files().size(), 1U);
}

TEST(JudgeCache, without_a_folder_nothing_is_kept) {
  const Call call("");
  EXPECT_TRUE(call.made);
  EXPECT_TRUE(call.lines.empty());
  EXPECT_FALSE(std::filesystem::exists("file"));
}

}  // namespace
}  // namespace lipizz::metrics
