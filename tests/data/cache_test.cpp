#include "data/cache.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "core/error.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::data::cache_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Bytes kGood{std::byte{1}, std::byte{2}};

// Calls cached() for bytes that are good when they are kGood, and writes down what happened.
struct Call {
  explicit Call(const CacheFolders& cache) {
    const auto accept = [](std::span<const std::byte> found) {
      if (!std::ranges::equal(found, kGood)) throw CommError("not good");
    };
    const auto make = [&] {
      made = true;
      return kGood;
    };
    const Log log{.info = [&](std::string_view line) { lines.emplace_back(line); },
                  .warning = [&](std::string_view line) { warnings.emplace_back(line); }};
    bytes = cached(cache, "file", accept, make, log);
  }
  explicit Call(const std::filesystem::path& folder)
      : Call(CacheFolders{.lasting = {folder}, .beside_run = {}}) {}
  Bytes bytes;
  bool made = false;
  std::vector<std::string> lines;
  std::vector<std::string> warnings;
};

TEST(Cache, makes_once_then_reads) {
  const TemporaryFolder folder;
  const Call first(folder.path() / "a/b");
  EXPECT_TRUE(first.made);
  const Call second(folder.path() / "a/b");
  EXPECT_FALSE(second.made);
  EXPECT_EQ(second.bytes, kGood);
  EXPECT_TRUE(first.lines.empty() && second.lines.empty());
}

TEST(Cache, replaces_what_is_not_accepted_and_says_so) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "bad";
  const Call call(folder.path());
  EXPECT_TRUE(call.made);
  EXPECT_EQ(call.bytes, kGood);
  EXPECT_THAT(call.lines, ElementsAre(HasSubstr("not good")));
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "file"), 2U);
  EXPECT_EQ(folder.files().size(), 1U);
}

TEST(Cache, a_huge_file_is_not_read) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file").close();
  std::filesystem::resize_file(folder.path() / "file", std::uintmax_t{1} << 40);  // a hole
  EXPECT_TRUE(Call(folder.path()).made);
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "file"), 2U);
}

TEST(Cache, who_expects_a_larger_file_reads_it) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "12345";
  const CacheFolders cache{.lasting = {folder.path()}, .beside_run = {}};
  const auto find = [&](std::uint64_t n_most_bytes) {
    const auto accept = [](std::span<const std::byte>) {};
    return find_in_cache(cache, "file", accept, {}, n_most_bytes);
  };
  EXPECT_EQ(find(4), std::nullopt);
  EXPECT_EQ(find(5).value().size(), 5U);
}

TEST(Cache, a_folder_that_cannot_be_made_is_only_warned_of) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "occupied") << "a file";
  const Call call(folder.path() / "occupied/cache");
  EXPECT_EQ(call.bytes, kGood);
  EXPECT_THAT(call.warnings,
              ElementsAre(AllOf(HasSubstr("file is made again in each run, since it cannot be "
                                          "written to "),
                                HasSubstr("occupied/cache (cannot make the folder "),
                                HasSubstr("); set LIPIZZ_CACHE_DIR "
                                          "to a folder"))));
  EXPECT_EQ(folder.files().size(), 1U);
}

TEST(Cache, a_name_that_is_a_folder_is_left_alone) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "file/inner");
  const Call call(folder.path());
  EXPECT_EQ(call.bytes, kGood);
  EXPECT_EQ(call.warnings.size(), 1U);
  EXPECT_EQ(folder.files().size(), 1U);
}

TEST(Cache, the_next_folder_takes_what_the_first_does_not) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "occupied") << "a file";
  const CacheFolders cache{.lasting = {folder.path() / "occupied/a", folder.path() / "b"},
                           .beside_run = folder.path() / "c"};
  const Call first(cache);
  EXPECT_TRUE(first.made);
  EXPECT_THAT(first.warnings, ElementsAre(HasSubstr("file is kept in " +
                                                    (folder.path() / "b").string() + ", since ")));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "c"));
  const Call second(cache);
  EXPECT_FALSE(second.made);
  EXPECT_THAT(second.warnings, IsEmpty());
}

TEST(Cache, without_an_environment_it_is_kept_beside_the_run_with_one_warning) {
  const TemporaryFolder folder;
  const CacheFolders cache{.lasting = {}, .beside_run = folder.path() / "runs/.cache"};
  const Call first(cache);
  EXPECT_TRUE(first.made);
  EXPECT_THAT(first.warnings,
              ElementsAre(HasSubstr("since LIPIZZ_CACHE_DIR, XDG_CACHE_HOME and HOME name no "
                                    "folder; set LIPIZZ_CACHE_DIR")));
  const Call second(cache);
  EXPECT_FALSE(second.made);
  EXPECT_EQ(second.bytes, kGood);
  EXPECT_THAT(second.warnings, IsEmpty());
}

TEST(Cache, without_a_folder_nothing_is_kept) {
  const Call call(CacheFolders{});
  EXPECT_TRUE(call.made);
  EXPECT_THAT(call.warnings, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists("file"));
}

}  // namespace
}  // namespace lipizz::data::cache_test
