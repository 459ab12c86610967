#include "core/text_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "core/error.hpp"

namespace lipizz::text_file_test {
namespace {

class TextFile : public ::testing::Test {
 protected:
  TextFile() { std::ofstream(file_, std::ios::binary) << text_; }
  ~TextFile() override { std::filesystem::remove(file_); }

  static std::string complaint(const std::filesystem::path& file, std::uintmax_t n_bytes_at_most) {
    try {
      read_text_file(file, "recipe", n_bytes_at_most);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return {};
  }

  const std::string text_ = std::string("a\0b\r\n", 5);
  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("lipizz-text-" + std::to_string(getpid()));
};

TEST_F(TextFile, is_read_as_it_is_up_to_the_limit) {
  EXPECT_EQ(read_text_file(file_, "recipe", text_.size()), text_);
}

TEST_F(TextFile, that_is_missing_or_too_large_is_an_error_that_says_so) {
  EXPECT_EQ(complaint("/nowhere", 9), "there is no recipe file /nowhere");
  EXPECT_EQ(complaint("/", 9), "/: expected a recipe file, found a folder");
  EXPECT_EQ(complaint(file_, 4), file_.string() + ": expected a recipe of at most 4 bytes");
}

TEST_F(TextFile, that_is_there_and_cannot_be_read_says_why) {
  EXPECT_EQ(complaint(file_ / "x", 9),
            "cannot read the recipe file " + (file_ / "x").string() + ": Not a directory");
  EXPECT_THAT(complaint("/" + std::string(5000, 'x'), 9),
              ::testing::EndsWith("...: File name too long"));
}

TEST_F(TextFile, that_is_a_link_to_nothing_names_both) {
  const std::filesystem::path link = file_.string() + "-link";
  std::filesystem::create_symlink("/nowhere", link);
  EXPECT_EQ(complaint(link, 9),
            "the recipe file " + link.string() + " is a link to /nowhere, which does not exist");
  std::filesystem::remove(link);
}

TEST_F(TextFile, may_be_a_pipe) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const std::filesystem::path end = "/dev/fd/" + std::to_string(ends[0]);
  std::thread writer([&] {
    EXPECT_EQ(write(ends[1], "ab", 2), 2);
    EXPECT_EQ(write(ends[1], "cd", 2), 2);
    close(ends[1]);
  });
  EXPECT_EQ(read_text_file(end, "recipe", 9), "abcd");
  writer.join();
  close(ends[0]);
}

TEST_F(TextFile, that_nobody_writes_or_that_never_ends_does_not_last_for_ever) {
  const std::filesystem::path fifo = file_.string() + "-fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(read_text_file(fifo, "recipe", 9), "");
  std::filesystem::remove(fifo);
  EXPECT_EQ(complaint("/dev/zero", 9), "/dev/zero: expected a recipe of at most 9 bytes");
}

}  // namespace
}  // namespace lipizz::text_file_test
