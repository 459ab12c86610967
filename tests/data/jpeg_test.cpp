#include "data/jpeg.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "data/jpeg_files.hpp"

namespace lipizz::data::jpeg_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Slow slopes, another one in each channel: what a JPEG keeps to a few levels.
Image slopes(std::uint32_t width, std::uint32_t height, std::uint32_t channels) {
  Image image(width, height, channels);
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      for (std::uint32_t c = 0; c < channels; ++c) {
        image.pixel(x, y)[c] = static_cast<std::uint8_t>(40 * c + 2 * x + y);
      }
    }
  }
  return image;
}

class Jpeg : public ::testing::Test {
 protected:
  Image read(const Octets& bytes, std::uint32_t max_pixels = 10'000) {
    write_file(path_, bytes);
    return read_jpeg(path_, max_pixels);
  }
  std::string refusal(const Octets& bytes, std::uint32_t max_pixels = 10'000) {
    return data_error([&] { read(bytes, max_pixels); });
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "a.jpg";
};

void expect_near(const Image& found, const Image& expected) {
  ASSERT_EQ(found.width, expected.width);
  ASSERT_EQ(found.height, expected.height);
  ASSERT_EQ(found.channels, expected.channels);
  for (std::size_t i = 0; i < expected.pixels.size(); ++i) {
    ASSERT_NEAR(found.pixels[i], expected.pixels[i], 4) << i;
  }
}

TEST_F(Jpeg, reads_grey_and_colour_baseline_and_progressive) {
  for (const std::uint32_t channels : {1U, 3U}) {
    const Image image = slopes(37, 21, channels);
    expect_near(read(jpeg(image)), image);
    expect_near(read(jpeg(image, 100, true)), image);
  }
}

TEST_F(Jpeg, names_what_is_missing_or_no_jpeg) {
  EXPECT_THAT(data_error([&] { read_jpeg(path_); }),
              AllOf(HasSubstr("a.jpg"), HasSubstr("No such file")));
  EXPECT_THAT(refusal({}), AllOf(HasSubstr("a.jpg: no good JPEG"), HasSubstr("fetch-data.sh")));
  EXPECT_THAT(refusal({'P', 'N', 'G'}), HasSubstr("Not a JPEG file: starts with 0x50 0x4e"));
}

TEST_F(Jpeg, refuses_a_file_that_was_cut_anywhere) {
  const Octets whole = jpeg(slopes(37, 21, 3));
  for (std::size_t n = 0; n < whole.size(); n += 7) {
    EXPECT_THAT(refusal({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)}),
                HasSubstr("JPEG"))
        << n;
  }
}

TEST_F(Jpeg, refuses_what_libjpeg_only_warns_of) {
  Octets bytes = jpeg(slopes(37, 21, 3));
  bytes.insert(bytes.end() - 2, {0xff, 0xd0, 1, 2, 3});  // a marker where the end should be
  EXPECT_THAT(refusal(bytes), HasSubstr("damaged JPEG: Corrupt JPEG data"));
}

TEST_F(Jpeg, refuses_more_pixels_or_bytes_than_allowed) {
  const Octets bytes = jpeg(slopes(37, 21, 3));
  EXPECT_EQ(read(bytes, 37 * 21).width, 37U);
  EXPECT_THAT(refusal(bytes, 37 * 21 - 1), HasSubstr("expected at most 776 pixels, found 37 x 21"));
  EXPECT_THAT(refusal(Octets(100'000), 100), HasSubstr("expected at most 66336 bytes"));
}

TEST_F(Jpeg, refuses_other_colours) {
  EXPECT_THAT(refusal(jpeg(slopes(8, 8, 4))), HasSubstr("expected a JPEG in grey or in red"));
}

}  // namespace
}  // namespace lipizz::data::jpeg_test
