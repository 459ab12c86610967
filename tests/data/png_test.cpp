#include "data/png.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "data/support.hpp"

namespace lipizz::data {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Image counting(std::uint32_t channels) {
  Image image(7, 5, channels);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    image.pixels[i] = static_cast<std::uint8_t>(37 * i);
  }
  return image;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void set_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(Png, reads_back_what_was_written) {
  const TemporaryFolder folder;
  for (const std::uint32_t channels : {1U, 3U}) {
    const Image image = counting(channels);
    write_png(folder.path() / "a.png", image);
    const Image read = read_png(folder.path() / "a.png");
    EXPECT_EQ(read.width, 7U);
    EXPECT_EQ(read.height, 5U);
    EXPECT_EQ(read.channels, channels);
    EXPECT_EQ(read.pixels, image.pixels);
  }
  EXPECT_EQ(folder.n_files(), 1U);
}

TEST(Png, is_a_png_of_the_announced_size) {
  const TemporaryFolder folder;
  write_png(folder.path() / "a.png", counting(1));
  const std::string bytes = bytes_of(folder.path() / "a.png");
  // Signature, length and name of the first chunk, width 7, height 5, 8 bits, grey.
  EXPECT_EQ(bytes.substr(0, 26), std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x07\0\0\0\x05"
                                             "\x08\0",
                                             26));
}

std::string write_error(const std::filesystem::path& path) {
  try {
    write_png(path, counting(1));
  } catch (const CheckpointError& error) {
    return error.what();
  }
  return "written";
}

TEST(Png, an_unwritable_place_is_named_and_left_as_it_was) {
  const TemporaryFolder folder;
  EXPECT_THAT(write_error(folder.path() / "none/a.png"),
              AllOf(HasSubstr("none/a.png"), HasSubstr("No such file")));
  std::filesystem::create_directory(folder.path() / "taken");
  EXPECT_THAT(write_error(folder.path() / "taken"), HasSubstr("directory"));
  EXPECT_EQ(folder.n_files(), 1U);
}

// A name that is easy to guess would lead there, where others may write too.
TEST(Png, no_link_in_its_folder_is_followed) {
  const TemporaryFolder folder;
  set_bytes(folder.path() / "precious", "precious");
  const std::string path = (folder.path() / "a.png").string();
  const std::string guessed = path + ".tmp-" + std::to_string(::getpid());
  std::filesystem::create_symlink("precious", guessed);
  write_png(path, counting(1));
  EXPECT_EQ(bytes_of(folder.path() / "precious"), "precious");
}

TEST(Png, a_damaged_file_is_refused) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.png";
  write_png(path, counting(3));
  const std::string whole = bytes_of(path);
  for (const std::size_t n : {std::size_t{0}, std::size_t{5}, std::size_t{20}, whole.size() / 2}) {
    set_bytes(path, whole.substr(0, n));
    EXPECT_THAT(data_error([&] { read_png(path); }), HasSubstr("a.png")) << n;
  }
  EXPECT_THAT(data_error([&] { read_png(folder.path() / "b.png"); }), HasSubstr("No such file"));
}

TEST(Png, a_picture_that_is_too_large_is_refused_before_it_is_read) {
  const TemporaryFolder folder;
  write_png(folder.path() / "a.png", counting(1));
  EXPECT_THAT(data_error([&] { read_png(folder.path() / "a.png", 34); }),
              HasSubstr("expected at most 34 pixels, found 7 x 5"));
}

}  // namespace
}  // namespace lipizz::data
