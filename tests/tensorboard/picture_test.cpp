#include "tensorboard/picture.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "data/png.hpp"
#include "support/temporary_folder.hpp"

namespace lipizz::tensorboard::picture_test {
namespace {

TEST(Picture, has_the_size_that_it_was_written_with) {
  const TemporaryFolder folder;
  for (const std::uint32_t channels : {1U, 3U}) {
    data::write_png(folder / "a.png", data::Image(3, 2, channels));
    const Picture picture = read_picture(folder / "a.png");
    EXPECT_EQ(picture.height, 2);
    EXPECT_EQ(picture.width, 3);
    EXPECT_EQ(picture.channels, channels);
    EXPECT_EQ(picture.png.size(), std::filesystem::file_size(folder / "a.png"));
  }
}

TEST(Picture, what_is_no_png_is_none) {
  const TemporaryFolder folder;
  data::write_png(folder / "a.png", data::Image(3, 2, 1));
  const std::string png = read_picture(folder / "a.png").png;
  EXPECT_TRUE(parse_picture(png));
  EXPECT_FALSE(parse_picture(""));
  EXPECT_FALSE(parse_picture(png.substr(0, 25)));
  for (const std::size_t at : {0, 12}) {
    std::string other = png;
    other[at] = 'x';
    EXPECT_FALSE(parse_picture(other));
  }
  for (const auto& [at, byte] : {std::pair(25, '\1'), {25, '\7'}, {16, '\x80'}, {19, '\0'}}) {
    std::string other = png;
    other[static_cast<std::size_t>(at)] = byte;
    EXPECT_FALSE(parse_picture(other)) << at;
  }
}

TEST(Picture, a_file_that_cannot_be_shown_is_an_error_that_says_why) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_picture(folder / "none.png"), CheckpointError);
  std::ofstream(folder / "large.png").seekp(kLargestPicture) << 'x';
  try {
    read_picture(folder / "large.png");
    FAIL();
  } catch (const CheckpointError& error) {
    EXPECT_NE(std::string(error.what()).find("larger than the 8 MiB"), std::string::npos);
  }
}

}  // namespace
}  // namespace lipizz::tensorboard::picture_test
