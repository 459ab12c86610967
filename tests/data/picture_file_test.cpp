#include "data/picture_file.hpp"

#include <gmock/gmock.h>

#include "data/jpeg_files.hpp"
#include "data/png_files.hpp"
#include "data/support.hpp"

namespace lipizz::data::picture_file_test {
namespace {

using ::testing::HasSubstr;

Octets text(std::string_view bytes) {
  return {bytes.begin(), bytes.end()};
}

std::string refusal(const Octets& bytes) {
  return data_error([&] { decode_picture(bytes, "some/a.png", 100); });
}

TEST(PictureFile, goes_by_the_content) {
  const Octets png = png_file(counting_source(PngColour::kColour, 8, 7, 5, false));
  EXPECT_EQ(decode_picture(png, "a.jpg", 100).channels, 3U);
  const Octets grey = jpeg(Image(7, 5, 1, 200));
  EXPECT_EQ(decode_picture(grey, "a.png", 100).pixels, Image(7, 5, 1, 200).pixels);
}

TEST(PictureFile, says_what_else_a_file_is) {
  EXPECT_EQ(refusal(text("no picture\n")), "some/a.png: expected a PNG or a JPEG, found text");
  EXPECT_THAT(refusal({}), HasSubstr("found an empty file"));
  EXPECT_THAT(refusal(text("GIF89a")), HasSubstr("found a GIF"));
  EXPECT_THAT(refusal(text("RIFF1234WEBPVP8 ")), HasSubstr("found a WebP"));
  EXPECT_THAT(refusal(text("RIFF")), HasSubstr("found text"));
  EXPECT_THAT(refusal({0, 1, 2}), HasSubstr("found another kind of file"));
  EXPECT_THAT(refusal({'M', 'M', 0, '*'}), HasSubstr("found a TIFF"));
}

TEST(PictureFile, names_a_file_that_is_damaged_or_too_large) {
  const Octets png = png_file(counting_source(PngColour::kGrey, 8, 11, 10, false));
  EXPECT_THAT(refusal(png), HasSubstr("some/a.png: expected at most 100 pixels, found 11 x 10"));
  EXPECT_THAT(refusal(text("\x89PNG")), HasSubstr("some/a.png: no good PNG"));
  const Octets whole = jpeg(Image(7, 5, 1, 200));
  const Octets cut(whole.begin(), whole.end() - 2);
  EXPECT_THAT(refusal(cut), HasSubstr("some/a.png: damaged JPEG: Premature end of JPEG file"));
  EXPECT_THAT(
      refusal(jpeg(Image(8, 8, 4))),
      HasSubstr("some/a.png: expected a JPEG in grey or in red, green and blue, found CMYK"));
}

}  // namespace
}  // namespace lipizz::data::picture_file_test
