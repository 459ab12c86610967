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

}  // namespace lipizz::data
