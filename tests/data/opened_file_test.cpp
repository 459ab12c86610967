#include "data/opened_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <array>

#include "data/support.hpp"

namespace lipizz::data::opened_file_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Opened : public ::testing::Test {
 protected:
  Opened() { write_file(path_, {1, 2, 3, 4, 5}); }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.bin";
};

TEST_F(Opened, reads_anywhere_and_all) {
  const OpenedFile file(path_);
  std::array<std::byte, 2> two{};
  file.read(3, two);
  EXPECT_EQ(two[0], std::byte{4});
  EXPECT_EQ(two[1], std::byte{5});
  EXPECT_EQ(file.content(5), Octets({1, 2, 3, 4, 5}));
}

TEST_F(Opened, an_end_that_comes_too_soon_is_named) {
  const OpenedFile file(path_);
  std::array<std::byte, 4> four{};
  EXPECT_THAT(data_error([&] { file.read(3, four); }),
              AllOf(StartsWith(path_.string() + ": "),
                    HasSubstr("expected 2 bytes more, found its end at byte 5")));
}

TEST_F(Opened, more_content_than_allowed_is_not_read) {
  const OpenedFile file(path_);
  EXPECT_THAT(data_error([&] { static_cast<void>(file.content(4)); }),
              HasSubstr("a.bin: expected at most 4 bytes, found 5"));
}

TEST_F(Opened, what_is_no_readable_file_is_refused) {
  EXPECT_THAT(data_error([&] { OpenedFile file(folder_ / "b"); }),
              HasSubstr("b: it cannot be opened: No such file"));
  EXPECT_THAT(data_error([&] { OpenedFile file(folder_.path()); }), HasSubstr("found a folder"));
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(data_error([&] { OpenedFile file(folder_ / "pipe"); }), HasSubstr("no regular file"));
}

TEST_F(Opened, a_file_that_was_written_to_is_refused) {
  std::array<std::byte, 1> one{};
  const auto expect_refused = [&](const OpenedFile& file) {
    EXPECT_THAT(data_error([&] { file.read(0, one); }),
                AllOf(HasSubstr("a.bin: "), HasSubstr("written to while it was read")));
  };
  const OpenedFile longer(path_);
  write_file(path_, {1, 2, 3, 4, 5, 6});
  expect_refused(longer);
  const OpenedFile touched(path_);
  const auto time = std::filesystem::last_write_time(path_);
  std::filesystem::last_write_time(path_, time + std::chrono::seconds(1));
  expect_refused(touched);
}

TEST_F(Opened, a_file_that_was_cut_says_that_it_was_written_to) {
  const OpenedFile file(path_);
  std::filesystem::resize_file(path_, 2);
  EXPECT_THAT(data_error([&] { static_cast<void>(file.content(5)); }),
              HasSubstr("written to while it was read"));
}

TEST_F(Opened, a_file_put_in_its_place_is_not_seen) {
  const OpenedFile file(path_);
  write_file(folder_ / "new", {9, 9, 9});
  std::filesystem::rename(folder_ / "new", path_);
  EXPECT_EQ(file.content(5), Octets({1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace lipizz::data::opened_file_test
