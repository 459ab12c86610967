#include "nn/cpu/im2col.hpp"

#include <algorithm>

#include "core/simd.hpp"

namespace lipizz::nn {
namespace {

// Where a row of a window lies: from which of its elements on, how many, and where in the image.
struct Strip {
  std::size_t skipped;
  std::size_t n;
  std::size_t in_image;
};

Strip strip_at(const ConvolutionShape& s, std::size_t h, std::size_t column) {
  const std::size_t begin = column * s.window.stride;  // from the padding's edge
  const std::size_t left = std::max<std::size_t>(begin, s.window.padding);
  const std::size_t right =
      std::min<std::size_t>(begin + s.window.kernel, s.x[2] + s.window.padding);
  if (left >= right) return {0, 0, 0};
  return {(left - begin) * s.x[3], (right - left) * s.x[3],
          (h * s.x[2] + left - s.window.padding) * s.x[3]};
}

// Calls with each row of each window: its offset in the columns, and its strip in the image.
template <class Each>
LIPIZZ_INLINE void for_each_strip(const ConvolutionShape& s, const Each& each) {
  const std::size_t row_size = s.window.kernel * s.x[3];
  std::size_t offset = 0;
  for (std::size_t row = 0; row < s.y[1]; ++row) {
    for (std::size_t column = 0; column < s.y[2]; ++column) {
      for (std::size_t i = 0; i < s.window.kernel; ++i, offset += row_size) {
        const std::size_t h = row * s.window.stride + i;
        const bool is_inside = h >= s.window.padding && h - s.window.padding < s.x[1];
        each(offset, is_inside ? strip_at(s, h - s.window.padding, column) : Strip{0, 0, 0});
      }
    }
  }
}

// Calls with each output position's number, whether the tap lies in the image there, and where it
// does.
template <class Each>
LIPIZZ_INLINE void for_each_position(const ConvolutionShape& s, std::uint32_t tap,
                                     const Each& each) {
  const std::size_t down = tap / s.window.kernel;
  const std::size_t right = tap % s.window.kernel;
  std::size_t position = 0;
  for (std::size_t row = 0; row < s.y[1]; ++row) {
    const std::size_t h = row * s.window.stride + down - s.window.padding;  // huge if above
    for (std::size_t column = 0; column < s.y[2]; ++column, ++position) {
      const std::size_t w = column * s.window.stride + right - s.window.padding;
      each(position, h < s.x[1] && w < s.x[2], (h * s.x[2] + w) * s.x[3]);
    }
  }
}

LIPIZZ_MULTIVERSION
void add_to(const float* __restrict from, std::size_t n, float* __restrict to) {
  for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
}

}  // namespace

void im2col(const ConvolutionShape& s, const float* x, std::size_t n_images, float* columns) {
  const std::size_t row_size = s.window.kernel * s.x[3];
  const std::size_t image_size = std::size_t{s.x[1]} * s.x[2] * s.x[3];
  for (std::size_t n = 0; n < n_images; ++n) {
    for_each_strip(s, [&](std::size_t offset, const Strip& strip) {
      float* row = columns + offset;
      std::fill_n(row, strip.skipped, 0.0f);
      std::copy_n(x + strip.in_image, strip.n, row + strip.skipped);
      std::fill(row + strip.skipped + strip.n, row + row_size, 0.0f);
    });
    x += image_size;
    columns += s.n_positions() * s.n_window();
  }
}

void col2im(const ConvolutionShape& s, const float* columns, std::size_t n_images, float* x) {
  const std::size_t image_size = std::size_t{s.x[1]} * s.x[2] * s.x[3];
  for (std::size_t n = 0; n < n_images; ++n) {
    std::fill_n(x, image_size, 0.0f);
    for_each_strip(s, [&](std::size_t offset, const Strip& strip) {
      add_to(columns + offset + strip.skipped, strip.n, x + strip.in_image);
    });
    x += image_size;
    columns += s.n_positions() * s.n_window();
  }
}

void gather_tap(const ConvolutionShape& s, const float* x, std::size_t n_images, std::uint32_t tap,
                float* pixels) {
  const std::size_t n_channels = s.x[3];
  for (std::size_t n = 0; n < n_images; ++n) {
    for_each_position(s, tap, [&](std::size_t position, bool is_inside, std::size_t at) {
      float* row = pixels + position * n_channels;
      if (is_inside) {
        std::copy_n(x + at, n_channels, row);
      } else {
        std::fill_n(row, n_channels, 0.0f);
      }
    });
    x += std::size_t{s.x[1]} * s.x[2] * n_channels;
    pixels += s.n_positions() * n_channels;
  }
}

void scatter_tap(const ConvolutionShape& s, const float* pixels, std::size_t n_images,
                 std::uint32_t tap, float* x) {
  const std::size_t n_channels = s.x[3];
  for (std::size_t n = 0; n < n_images; ++n) {
    for_each_position(s, tap, [&](std::size_t position, bool is_inside, std::size_t at) {
      if (is_inside) add_to(pixels + position * n_channels, n_channels, x + at);
    });
    x += std::size_t{s.x[1]} * s.x[2] * n_channels;
    pixels += s.n_positions() * n_channels;
  }
}

}  // namespace lipizz::nn
