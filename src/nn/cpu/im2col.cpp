#include "nn/cpu/im2col.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "core/simd.hpp"
#include "nn/cpu/avx512_bf16.hpp"

namespace lipizz::nn {
namespace {

// Where a row of a window lies: from which of its elements on, how many, and where in the image.
struct Strip {
  std::size_t skipped;
  std::size_t n;
  std::size_t in_image;
};

// The strip of a window in the image's first line.
LIPIZZ_INLINE Strip strip_at(const ConvolutionShape& s, std::size_t column) {
  const std::size_t begin = column * s.window.stride;  // from the padding's edge
  const std::size_t left = std::max<std::size_t>(begin, s.window.padding);
  const std::size_t right =
      std::min<std::size_t>(begin + s.window.kernel, s.x[2] + s.window.padding);
  if (left >= right) return {0, 0, 0};
  return {(left - begin) * s.x[3], (right - left) * s.x[3], (left - s.window.padding) * s.x[3]};
}

// Calls with each row of each window: its offset in the columns, and its strip in the image.
template <class Each>
LIPIZZ_INLINE void for_each_strip(const ConvolutionShape& s, const Each& each) {
  const std::size_t kernel = s.window.kernel;
  const std::size_t row_size = kernel * s.x[3];
  const std::size_t line_size = std::size_t{s.x[2]} * s.x[3];
  std::size_t offset = 0;
  for (std::size_t row = 0; row < s.y[1]; ++row) {
    const std::size_t top = row * s.window.stride - s.window.padding;  // huge if above
    const bool are_lines_inside = top < s.x[1] && top + kernel <= s.x[1];
    for (std::size_t column = 0; column < s.y[2]; ++column) {
      const Strip strip = strip_at(s, column);
      if (are_lines_inside && strip.n == row_size) {
        std::size_t in_image = top * line_size + strip.in_image;
        for (std::size_t i = 0; i < kernel; ++i, offset += row_size, in_image += line_size) {
          each(offset, Strip{0, row_size, in_image});
        }
        continue;
      }
      for (std::size_t i = 0; i < kernel; ++i, offset += row_size) {
        const std::size_t h = top + i;
        each(offset, h < s.x[1] ? Strip{strip.skipped, strip.n, h * line_size + strip.in_image}
                                : Strip{0, 0, 0});
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

// Calls with blocks of sixteen, and of eight, four, two and one of what is left. All strips but
// those at an edge have one length, so that a processor foresees the branches.
template <std::size_t most = 16, class Each>
LIPIZZ_INLINE void for_each_block(std::size_t n, const Each& each) {
  std::size_t i = 0;
  for (; i + most <= n; i += most) each(i, std::integral_constant<std::size_t, most>());
  if constexpr (most > 1) {
    for_each_block<most / 2>(
        n - i, [&](std::size_t j, auto size) LIPIZZ_INLINE_LAMBDA { each(i + j, size); });
  }
}

LIPIZZ_INLINE void copy(const float* from, std::size_t n, float* to) {
  for_each_block(n, [&](std::size_t i, auto size) LIPIZZ_INLINE_LAMBDA {
    std::memcpy(to + i, from + i, size * sizeof(float));
  });
}

LIPIZZ_INLINE void add(const float* from, std::size_t n, float* to) {
  for_each_block(n, [&](std::size_t i, auto size) LIPIZZ_INLINE_LAMBDA {
    using Block [[gnu::vector_size(size * sizeof(float))]] = float;
    Block sum, more;
    std::memcpy(&sum, to + i, sizeof sum);
    std::memcpy(&more, from + i, sizeof more);
    sum += more;
    std::memcpy(to + i, &sum, sizeof sum);
  });
}

// Calls with each row of each window: where its strip begins, how many numbers that has, and where
// they go. All else of a row, which lies outside of the image, becomes zero.
template <class Number, class Copy>
LIPIZZ_INLINE void write_columns(const ConvolutionShape& s, const float* x, std::size_t n_images,
                                 Number* columns, const Copy& copy_strip) {
  const std::size_t row_size = s.window.kernel * s.x[3];
  const std::size_t image_size = std::size_t{s.x[1]} * s.x[2] * s.x[3];
  for (std::size_t n = 0; n < n_images; ++n) {
    for_each_strip(s, [&](std::size_t offset, const Strip& strip) LIPIZZ_INLINE_LAMBDA {
      Number* const row = columns + offset;
      if (strip.n < row_size) std::fill_n(row, row_size, Number{0});
      copy_strip(x + strip.in_image, strip.n, row + strip.skipped);
    });
    x += image_size;
    columns += s.n_positions() * s.n_window();
  }
}

#if defined(LIPIZZ_AVX512_BF16)
LIPIZZ_AVX512_BF16 void write_columns_by_instruction(const ConvolutionShape& s, const float* x,
                                                     std::size_t n_images, Bf16* columns) {
  write_columns(
      s, x, n_images, columns, [](const float* from, std::size_t n, Bf16* to) LIPIZZ_AVX512_BF16 {
        for_each_block(n, [&](std::size_t i, auto size)
                              LIPIZZ_AVX512_BF16 { round_block<size>(from + i, to + i); });
      });
}
#endif

}  // namespace

LIPIZZ_MULTIVERSION
void im2col(const ConvolutionShape& s, const float* x, std::size_t n_images, float* columns) {
  write_columns(s, x, n_images, columns,
                [](const float* from, std::size_t n, float* to)
                    LIPIZZ_INLINE_LAMBDA { copy(from, n, to); });
}

void im2col(const ConvolutionShape& s, const float* x, std::size_t n_images, Bf16* columns) {
#if defined(LIPIZZ_AVX512_BF16)
  if (has_avx512_bf16()) return write_columns_by_instruction(s, x, n_images, columns);
#endif
  write_columns(s, x, n_images, columns,
                [](const float* from, std::size_t n, Bf16* to) { round_to_bf16(from, to, n); });
}

LIPIZZ_MULTIVERSION
void col2im(const ConvolutionShape& s, const float* columns, std::size_t n_images, float* x) {
  const std::size_t image_size = std::size_t{s.x[1]} * s.x[2] * s.x[3];
  for (std::size_t n = 0; n < n_images; ++n) {
    std::fill_n(x, image_size, 0.0f);
    for_each_strip(s, [&](std::size_t offset, const Strip& strip) LIPIZZ_INLINE_LAMBDA {
      add(columns + offset + strip.skipped, strip.n, x + strip.in_image);
    });
    x += image_size;
    columns += s.n_positions() * s.n_window();
  }
}

LIPIZZ_MULTIVERSION
void gather_tap(const ConvolutionShape& s, const float* x, std::size_t n_images, std::uint32_t tap,
                float* pixels) {
  const std::size_t n_channels = s.x[3];
  for (std::size_t n = 0; n < n_images; ++n) {
    for_each_position(
        s, tap, [&](std::size_t position, bool is_inside, std::size_t at) LIPIZZ_INLINE_LAMBDA {
          float* row = pixels + position * n_channels;
          if (is_inside) {
            copy(x + at, n_channels, row);
          } else {
            std::fill_n(row, n_channels, 0.0f);
          }
        });
    x += std::size_t{s.x[1]} * s.x[2] * n_channels;
    pixels += s.n_positions() * n_channels;
  }
}

LIPIZZ_MULTIVERSION
void scatter_tap(const ConvolutionShape& s, const float* pixels, std::size_t n_images,
                 std::uint32_t tap, float* x) {
  const std::size_t n_channels = s.x[3];
  for (std::size_t n = 0; n < n_images; ++n) {
    for_each_position(
        s, tap, [&](std::size_t position, bool is_inside, std::size_t at) LIPIZZ_INLINE_LAMBDA {
          if (is_inside) add(pixels + position * n_channels, n_channels, x + at);
        });
    x += std::size_t{s.x[1]} * s.x[2] * n_channels;
    pixels += s.n_positions() * n_channels;
  }
}

}  // namespace lipizz::nn
