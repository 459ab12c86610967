#include "data/resize.hpp"

#include <gmock/gmock.h>
#include <zlib.h>

namespace lipizz::data::resize_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

/// [x, y, c] -> 3 x^2 + 5 y^2 + 7 x y + 40 c modulo 256
Image waves(std::uint32_t width, std::uint32_t height, std::uint32_t channels) {
  Image image(width, height, channels);
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      for (std::uint32_t c = 0; c < channels; ++c) {
        image.pixel(x, y)[c] =
            static_cast<std::uint8_t>(3 * x * x + 5 * y * y + 7 * x * y + 40 * c);
      }
    }
  }
  return image;
}

std::uint32_t checksum(const Image& image) {
  return static_cast<std::uint32_t>(
      crc32(0, image.pixels.data(), static_cast<uInt>(image.pixels.size())));
}

// Pillow 11.3, of the same pictures as numpy arrays:
//   zlib.crc32(ImageOps.fit(image, (to_width, to_height), Image.BILINEAR).tobytes())
//   zlib.crc32(image.resize((to_width, to_height), Image.BILINEAR).tobytes())
struct Reference {
  std::uint32_t width, height, channels, to_width, to_height, cropped, stretched;
};
constexpr Reference kPillow[] = {
    {97, 61, 3, 32, 32, 0xfe6c8856U, 0x2b74907aU},
    {61, 97, 3, 32, 32, 0xe3b62fd5U, 0x9da22ab7U},
    {97, 61, 1, 28, 28, 0x6701d05fU, 0x1e470e00U},
    {5, 9, 3, 32, 32, 0x9bf9173bU, 0x3e59789eU},
    {640, 480, 3, 64, 64, 0x4b945e19U, 0xb8f0e39dU},
    {480, 641, 1, 64, 48, 0x3d27b605U, 0xea6caec9U},
    {64, 48, 3, 32, 24, 0xc7d5e9fcU, 0xc7d5e9fcU},
    {33, 50, 3, 33, 32, 0x358f5c90U, 0x81fafac9U},
    {50, 33, 3, 7, 33, 0xb8791537U, 0x04cffb49U},
    {300, 7, 1, 16, 16, 0x36be3a14U, 0x9b176118U},
    {1, 1, 3, 4, 4, 0x4d831bf4U, 0x4d831bf4U},
    {1000, 999, 3, 1, 1, 0xe54d3674U, 0xe54d3674U},
};

TEST(Resize, has_the_bits_of_pillow) {
  for (const Reference& r : kPillow) {
    const Image image = waves(r.width, r.height, r.channels);
    const Image cropped = fitted(image, r.to_width, r.to_height, Fit::kCrop);
    EXPECT_EQ(cropped.width, r.to_width);
    EXPECT_EQ(cropped.height, r.to_height);
    EXPECT_EQ(cropped.channels, r.channels);
    EXPECT_EQ(checksum(cropped), r.cropped) << r.width << " x " << r.height;
    EXPECT_EQ(checksum(fitted(image, r.to_width, r.to_height, Fit::kStretch)), r.stretched)
        << r.width << " x " << r.height;
  }
}

TEST(Resize, a_small_one_in_full) {
  EXPECT_THAT(fitted(waves(7, 5, 1), 3, 2, Fit::kStretch).pixels,
              ElementsAre(19, 60, 122, 71, 137, 136));
  EXPECT_THAT(fitted(waves(7, 5, 1), 3, 2, Fit::kCrop).pixels,
              ElementsAre(18, 59, 122, 70, 137, 138));
}

TEST(Resize, a_plain_picture_stays_plain) {
  for (const std::uint8_t grey : {0, 1, 127, 254, 255}) {
    for (const std::uint32_t size : {1U, 3U, 16U, 40U}) {
      EXPECT_THAT(fitted(Image(17, 23, 3, grey), size, size, Fit::kCrop).pixels, Each(grey));
    }
  }
}

TEST(Resize, the_right_size_comes_back_unchanged) {
  const Image image = waves(19, 11, 3);
  EXPECT_EQ(fitted(image, 19, 11, Fit::kCrop).pixels, image.pixels);
  EXPECT_EQ(fitted(image, 19, 11, Fit::kStretch).pixels, image.pixels);
}

// Halving weighs four pixels by 1/8, 3/8, 3/8 and 1/8; at the edge three by 3/7, 3/7 and 1/7.
TEST(Resize, halving_is_a_mean_under_a_triangle) {
  Image row(8, 1, 1);
  row.pixels = {70, 0, 0, 80, 0, 0, 0, 0};
  EXPECT_THAT(fitted(row, 4, 1, Fit::kStretch).pixels, ElementsAre(30, 30, 10, 0));
  Image column(1, 8, 1);
  column.pixels = row.pixels;
  EXPECT_THAT(fitted(column, 1, 4, Fit::kStretch).pixels, ElementsAre(30, 30, 10, 0));
}

TEST(Resize, what_is_too_fine_becomes_its_mean) {
  Image board(64, 64, 1);
  for (std::uint32_t i = 0; i < 64 * 64; ++i) board.pixels[i] = (i + i / 64) % 2 == 0 ? 255 : 0;
  const Image small = fitted(board, 16, 16, Fit::kStretch);
  for (std::uint32_t i = 1; i < 15; ++i) EXPECT_NEAR(small.pixel(i, i)[0], 127.5, 1);
}

TEST(Resize, a_crop_keeps_the_middle) {
  Image wide(12, 4, 1);
  for (std::uint32_t y = 0; y < 4; ++y) std::fill_n(wide.pixel(4, y), 4, std::uint8_t{200});
  EXPECT_THAT(fitted(wide, 4, 4, Fit::kCrop).pixels, Each(200));
  EXPECT_EQ(fitted(wide, 4, 4, Fit::kStretch).pixels[0], 0);
}

TEST(Resize, channels_are_copied_or_weighed) {
  Image grey(2, 1, 1);
  grey.pixels = {7, 200};
  EXPECT_THAT(with_channels(grey, 3).pixels, ElementsAre(7, 7, 7, 200, 200, 200));
  EXPECT_EQ(with_channels(with_channels(grey, 3), 1).pixels, grey.pixels);
  EXPECT_EQ(with_channels(grey, 1).pixels, grey.pixels);
  Image colours(4, 1, 3);
  colours.pixels = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
  EXPECT_THAT(with_channels(colours, 1).pixels, ElementsAre(76, 150, 29, 255));
  EXPECT_EQ(checksum(with_channels(waves(16, 16, 3), 1)), 0x79a26c8aU);  // Pillow's convert("L")
}

}  // namespace
}  // namespace lipizz::data::resize_test
