#include "core/text_file.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "core/error.hpp"

namespace lipizz {
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
  EXPECT_EQ(complaint("/", 9), "there is no recipe file /");
  EXPECT_EQ(complaint(file_, 4), file_.string() + ": expected a recipe of at most 4 bytes");
}

}  // namespace
}  // namespace lipizz
