#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lipizz::data {

/// An 8-bit picture: rows from the top, channels last (1 grey, 3 red-green-blue).
struct Image {
  Image(std::uint32_t image_width, std::uint32_t image_height, std::uint32_t n_channels,
        std::uint8_t fill = 0)
      : width(image_width),
        height(image_height),
        channels(n_channels),
        pixels(std::size_t{image_width} * image_height * n_channels, fill) {}

  std::uint8_t* pixel(std::uint32_t x, std::uint32_t y) {
    return pixels.data() + (std::size_t{y} * width + x) * channels;
  }
  [[nodiscard]] const std::uint8_t* pixel(std::uint32_t x, std::uint32_t y) const {
    return pixels.data() + (std::size_t{y} * width + x) * channels;
  }

  std::uint32_t width;
  std::uint32_t height;
  std::uint32_t channels;
  std::vector<std::uint8_t> pixels;  // [height, width, channels]
};

/// As many bytes as a file of a picture with so many pixels is believed to have: 16 bits in each of
/// four channels, and room for what cameras write beside them.
[[nodiscard]] constexpr std::uint64_t most_picture_bytes(std::uint32_t max_pixels) {
  return std::uint64_t{8} * max_pixels + (1U << 16);
}

/// A value of [-1, 1] as the 8 bits that pictures and arrays of pixels hold: the nearest, clamped;
/// 0 for NaN. The reverse of what a dataset of images reads.
inline std::uint8_t to_pixel(float value) {
  if (!(value > -1.0f)) return 0;  // NaN too
  return static_cast<std::uint8_t>((value < 1.0f ? value : 1.0f) * 127.5f + 128.0f);
}

/// The value of a pixel as every dataset of images reads it: (v / 255 - 0.5) / 0.5.
constexpr float from_pixel(std::uint8_t pixel) {
  // v / 255, rounded once, for each of the 256 values: the first product is exact.
  const auto v = static_cast<float>(pixel);
  const float share = v * 0x1.01p-8f + v * 0x1.010102p-24f;
  return (share - 0.5f) * 2;
}

}  // namespace lipizz::data
