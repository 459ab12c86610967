#include "data/resize.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/check.hpp"

namespace lipizz::data {
namespace {

// Weights are whole numbers of 2^-22: 255 times their sum stays within 31 bits.
constexpr int kFraction = 22;
constexpr std::int32_t kHalf = 1 << (kFraction - 1);

/// A part of one direction of a picture; of single precision, as in Pillow.
struct Interval {
  float begin;
  float end;
};

/// The source pixels that make one pixel, from `first` on, and the weight of each.
struct Window {
  std::size_t first;
  std::vector<std::int32_t> weights;
};

Window window_at(double centre, double reach, std::uint32_t n_from) {
  const double low = std::max(centre - reach + 0.5, 0.0);
  const double high = std::min(centre + reach + 0.5, static_cast<double>(n_from));
  const auto first = static_cast<std::size_t>(low);
  std::vector<double> exact(static_cast<std::size_t>(high) - first);
  double sum = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double offset = (static_cast<double>(i + first) - centre + 0.5) * (1.0 / reach);
    exact[i] = std::max(1.0 - (offset < 0 ? -offset : offset), 0.0);
    sum += exact[i];
  }
  Window window{first, {}};
  for (const double weight : exact) {
    window.weights.push_back(static_cast<std::int32_t>(0.5 + weight / sum * (1 << kFraction)));
  }
  return window;
}

/// The windows of the `n_to` pixels into which `part` of `n_from` pixels is scaled.
std::vector<Window> windows(Interval part, std::uint32_t n_from, std::uint32_t n_to) {
  const double scale = static_cast<double>(part.end - part.begin) / n_to;
  std::vector<Window> all;
  for (std::uint32_t i = 0; i < n_to; ++i) {
    all.push_back(window_at(part.begin + (i + 0.5) * scale, std::max(scale, 1.0), n_from));
  }
  return all;
}

std::uint8_t rounded(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> kFraction, 0, 255));
}

Image scale_rows(const Image& image, const std::vector<Window>& windows) {
  Image out(static_cast<std::uint32_t>(windows.size()), image.height, image.channels);
  for (std::uint32_t y = 0; y < out.height; ++y) {
    std::uint8_t* to = out.pixel(0, y);
    for (const Window& window : windows) {
      const std::uint8_t* from = image.pixel(static_cast<std::uint32_t>(window.first), y);
      for (std::uint32_t c = 0; c < image.channels; ++c) {
        std::int32_t sum = kHalf;
        for (std::size_t i = 0; i < window.weights.size(); ++i) {
          sum += window.weights[i] * from[i * image.channels + c];
        }
        *to++ = rounded(sum);
      }
    }
  }
  return out;
}

Image scale_columns(const Image& image, const std::vector<Window>& windows) {
  Image out(image.width, static_cast<std::uint32_t>(windows.size()), image.channels);
  std::vector<std::int32_t> sums(std::size_t{image.width} * image.channels);
  for (std::uint32_t y = 0; y < out.height; ++y) {
    std::ranges::fill(sums, kHalf);
    for (std::size_t i = 0; i < windows[y].weights.size(); ++i) {
      const std::int32_t weight = windows[y].weights[i];
      const std::uint8_t* from = image.pixel(0, static_cast<std::uint32_t>(windows[y].first + i));
      for (std::size_t x = 0; x < sums.size(); ++x) sums[x] += weight * from[x];
    }
    std::ranges::transform(sums, out.pixel(0, y), rounded);
  }
  return out;
}

Interval centred(std::uint32_t n, double length) {
  const double begin = (n - length) * 0.5;
  return {static_cast<float>(begin), static_cast<float>(begin + length)};
}

bool is_whole(Interval part, std::uint32_t n) {
  return part.begin == 0.0f && part.end == static_cast<float>(n);
}

}  // namespace

Image fitted(const Image& image, std::uint32_t width, std::uint32_t height, Fit fit) {
  LIPIZZ_ASSERT(width > 0 && height > 0 && image.width > 0 && image.height > 0);
  const double shape = static_cast<double>(width) / height;
  const double found = static_cast<double>(image.width) / image.height;
  double part_width = image.width;
  double part_height = image.height;
  if (fit == Fit::kCrop && found > shape) part_width = shape * image.height;
  if (fit == Fit::kCrop && found < shape) part_height = image.width / shape;
  const Interval columns = centred(image.width, part_width);
  const Interval rows = centred(image.height, part_height);
  const bool needs_rows = width != image.width || !is_whole(columns, image.width);
  const bool needs_columns = height != image.height || !is_whole(rows, image.height);
  Image out = needs_rows ? scale_rows(image, windows(columns, image.width, width)) : image;
  if (!needs_columns) return out;
  return scale_columns(out, windows(rows, image.height, height));
}

Image with_channels(const Image& image, std::uint32_t channels) {
  LIPIZZ_ASSERT((channels == 1 || channels == 3) && (image.channels == 1 || image.channels == 3));
  if (channels == image.channels) return image;
  Image out(image.width, image.height, channels);
  const std::uint8_t* from = image.pixels.data();
  for (std::uint8_t* to = out.pixels.data(); to != out.pixels.data() + out.pixels.size();
       to += channels, from += image.channels) {
    if (channels == 3) {
      std::fill_n(to, 3, *from);
    } else {
      *to = static_cast<std::uint8_t>(
          (19595U * from[0] + 38470U * from[1] + 7471U * from[2] + 0x8000U) >> 16);
    }
  }
  return out;
}

}  // namespace lipizz::data
