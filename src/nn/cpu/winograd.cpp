#include "nn/cpu/winograd.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.hpp"
#include "core/simd.hpp"
#include "nn/base/buffer.hpp"
#include "nn/cpu/avx512_bf16.hpp"
#include "nn/cpu/images_at_a_time.hpp"
#include "nn/cpu/line_fetcher.hpp"
#include "nn/cpu/winograd_lines.hpp"

namespace lipizz::nn {
namespace {

// The elements of a square, row by row, of `n` squares side by side.
template <std::size_t edge, class T>
using Square = std::array<T*, edge * edge>;

// Takes the rows of every square, and then its columns, through a function of lines; unrolled in
// full, so that lines stay in registers and the loop over squares has vectors.
template <std::size_t from, std::size_t to, bool adds, class OfLine>
LIPIZZ_INLINE void transform(const Square<from, const float>& in, const Square<to, float>& out,
                             std::size_t n, const OfLine& of_line) {
  LIPIZZ_INDEPENDENT
  for (std::size_t k = 0; k < n; ++k) {
    std::array<Line<float, to>, from> rows;
#pragma GCC unroll 6
    for (std::size_t i = 0; i < from; ++i) {
      Line<float, from> row;
#pragma GCC unroll 6
      for (std::size_t j = 0; j < from; ++j) row[j] = in[i * from + j][k];
      rows[i] = of_line(row);
    }
#pragma GCC unroll 6
    for (std::size_t j = 0; j < to; ++j) {
      const Line<float, to> result = column_of(rows, j, of_line);
#pragma GCC unroll 6
      for (std::size_t i = 0; i < to; ++i) {
        float* element = out[i * to + j] + k;
        *element = adds ? *element + result[i] : result[i];
      }
    }
  }
}

// Element (i, j) of a tile of one phase of an image; null outside.
template <class Tiling, class T>
LIPIZZ_INLINE T* pixel_at(const Tiling& t, T* image, std::size_t top, std::size_t left,
                          std::size_t i, std::size_t j) {
  const std::size_t h = top + i * t.stride - t.padding;  // huge if above
  const std::size_t w = left + j * t.stride - t.padding;
  return h < t.height && w < t.width ? image + (h * t.width + w) * t.pixel : nullptr;
}

// A whole tile; its elements outside lie at `outside`, `apart` from each other.
template <std::size_t edge, class Tiling, class T>
LIPIZZ_INLINE Square<edge, T> tile_at(const Tiling& t, T* image, std::size_t top, std::size_t left,
                                      T* outside, std::size_t apart) {
  Square<edge, T> square;
  for (std::size_t i = 0; i < edge; ++i) {
    for (std::size_t j = 0; j < edge; ++j) {
      const std::size_t e = i * edge + j;
      T* const pixel = pixel_at(t, image, top, left, i, j);
      square[e] = pixel != nullptr ? pixel : outside + e * apart;
    }
  }
  return square;
}

// Fetches all images but for the first row of tiles as one stream, about one row ahead, a share
// with each tile of a phase: the pixels of a tile lie in too many places for a processor to foresee
// them.
template <class Tiling>
LineFetcher rows_ahead(const Tiling& t, const float* images, std::size_t n_images) {
  const std::size_t n_rows = n_images * t.down;
  const std::size_t row = t.image_size() / t.down;
  const char* const second = reinterpret_cast<const char*>(images + row);
  return {{.first = second, .n_bytes = (n_rows - 1) * row * sizeof(float), .n = 1},
          std::max<std::size_t>(n_rows - 1, 1) * t.across * t.n_phases()};
}

template <std::size_t edge, class T>
LIPIZZ_INLINE Square<edge, T> one_of_each(T* first, std::size_t apart) {
  Square<edge, T> square;
  for (std::size_t e = 0; e < square.size(); ++e) square[e] = first + e * apart;
  return square;
}

template <std::size_t from, std::size_t to, class OfLine>
LIPIZZ_INLINE void write_points(const Square<from, const float>& in, const Square<to, float>& out,
                                std::size_t n, const OfLine& of_line) {
  transform<from, to, false>(in, out, n, of_line);
}

#if defined(LIPIZZ_AVX512_BF16)
// The same, rounded in registers, for as many squares as fill vectors of bf16; their number.
template <std::size_t from, std::size_t to, class OfLine>
LIPIZZ_AVX512_BF16 std::size_t write_vectors(const Square<from, const float>& in,
                                             const Square<to, Bf16>& out, std::size_t n,
                                             const OfLine& of_line) {
  constexpr std::size_t kLanes = 32;
  using Vectors [[gnu::vector_size(kLanes * sizeof(float))]] = float;
  std::size_t done = 0;
  for (; done + kLanes <= n; done += kLanes) {
    std::array<Line<Vectors, to>, from> rows;
#pragma GCC unroll 6
    for (std::size_t i = 0; i < from; ++i) {
      Line<Vectors, from> row;
#pragma GCC unroll 6
      for (std::size_t j = 0; j < from; ++j) {
        std::memcpy(&row[j], in[i * from + j] + done, sizeof(Vectors));
      }
      rows[i] = of_line(row);
    }
#pragma GCC unroll 6
    for (std::size_t j = 0; j < to; ++j) {
      const Line<Vectors, to> result = column_of(rows, j, of_line);
#pragma GCC unroll 6
      for (std::size_t i = 0; i < to; ++i) {
        __m512 halves[2];
        std::memcpy(halves, &result[i], sizeof halves);
        _mm512_storeu_si512(out[i * to + j] + done, rounded(halves[0], halves[1]));
      }
    }
  }
  return done;
}
#endif

// Rounds points. Those that fill no vector of them are computed in single precision before, a few
// of each at a time.
template <std::size_t from, std::size_t to, class OfLine>
LIPIZZ_INLINE void write_points(const Square<from, const float>& in, const Square<to, Bf16>& out,
                                std::size_t n, const OfLine& of_line) {
  constexpr std::size_t kMost = 32;
  std::size_t done = 0;
#if defined(LIPIZZ_AVX512_BF16)
  if (has_avx512_bf16()) done = write_vectors<from, to>(in, out, n, of_line);
#endif
  while (done < n) {
    const std::size_t n_here = std::min(n - done, kMost);
    alignas(kCacheLine) float exact[to * to * kMost];
    Square<from, const float> rest = in;
    for (const float*& element : rest) element += done;
    transform<from, to, false>(rest, one_of_each<to>(exact, kMost), n_here, of_line);
    for (std::size_t e = 0; e < out.size(); ++e) {
      round_to_bf16(exact + e * kMost, out[e] + done, n_here);
    }
    done += n_here;
  }
}

// Calls with each tile of each phase: its image, its first pixel from the padding's edge, and where
// its channels begin in a matrix [tiles, channels of all phases].
template <class Tiling, class Each>
LIPIZZ_INLINE void for_each_tile(const Tiling& t, std::size_t n_images, std::size_t pitch,
                                 const Each& each) {
  std::size_t tile = 0;
  for (std::size_t image = 0; image < n_images; ++image) {
    for (std::size_t row = 0; row < t.down; ++row) {
      for (std::size_t column = 0; column < t.across; ++column, ++tile) {
        std::size_t at = tile * pitch;
        for (std::size_t i = 0; i < t.stride; ++i) {
          for (std::size_t j = 0; j < t.stride; ++j, at += t.channels) {
            each(image, t.edge * row * t.stride + i, t.edge * column * t.stride + j, at);
          }
        }
      }
    }
  }
}

template <std::size_t from, std::size_t to, class Tiling, class Points, class OfLine>
LIPIZZ_INLINE void gather(const Tiling& t, const float* images, std::size_t n_images,
                          const float* zeros, const Points& points, const OfLine& of_line) {
  LineFetcher ahead = rows_ahead(t, images, n_images);
  for_each_tile(
      t, n_images, points.pitch,
      [&](std::size_t image, std::size_t top, std::size_t left, std::size_t at)
          __attribute__((always_inline)) {
            ahead.fetch_some();
            const float* const pixels = images + image * t.image_size();
            const auto in = tile_at<from>(t, pixels, top, left, zeros, 0);
            write_points<from, to>(in, one_of_each<to>(points.first + at, points.apart), t.channels,
                                   of_line);
          });
}

template <std::size_t from, std::size_t to, bool adds, class Tiling, class Points, class OfLine>
LIPIZZ_INLINE void scatter(const Tiling& t, const Points& points, std::size_t n_images,
                           float* beyond, float* images, const OfLine& of_line) {
  for_each_tile(
      t, n_images, points.pitch,
      [&](std::size_t image, std::size_t top, std::size_t left, std::size_t at)
          __attribute__((always_inline)) {
            const auto in = one_of_each<from>(points.first + at, points.apart);
            const auto out =
                tile_at<to>(t, images + image * t.image_size(), top, left, beyond, t.channels);
            transform<from, to, adds>(in, out, t.channels, of_line);
          });
}

// Calls with some rows of a matrix [channels of all phases, O], each the outputs of an input of a
// phase: their weights, the first tap's place, their row among these, and how many numbers they
// are; with all rows of a phase at once where they follow each other.
template <class Tiling, class T, class Each>
LIPIZZ_INLINE void for_each_input(const Tiling& t, T* weights, std::size_t first, std::size_t n,
                                  std::size_t pitch, const Each& each) {
  const std::size_t n_inputs = t.pixel / t.channels;
  const std::size_t n_at_once = pitch == t.channels ? n_inputs : 1;
  for (std::size_t row = first, end; row < first + n; row = end) {
    const std::size_t phase = row / n_inputs;
    end = std::min({row + n_at_once, (phase + 1) * n_inputs, first + n});
    each(weights + row % n_inputs * t.channels, phase / t.stride, phase % t.stride, row - first,
         (end - row) * t.channels);
  }
}

std::size_t tiles_of(std::size_t n, std::size_t edge) {
  return (n + edge - 1) / edge;
}

}  // namespace

bool Winograd::fits(const Window& window) {
  return window.kernel == 2 * window.stride || window.kernel == 3 * window.stride;
}

Winograd::Winograd(const ConvolutionShape& shape, std::size_t edge)
    : edge_(edge),
      n_taps_(shape.window.kernel / shape.window.stride),
      positions_{.height = shape.y[1],
                 .width = shape.y[2],
                 .channels = shape.y[3],
                 .pixel = shape.y[3],
                 .stride = 1,
                 .padding = 0,
                 .edge = edge,
                 .down = tiles_of(shape.y[1], edge),
                 .across = tiles_of(shape.y[2], edge)},
      images_{.height = shape.x[1],
              .width = shape.x[2],
              .channels = shape.x[3],
              .pixel = shape.x[3],
              .stride = shape.window.stride,
              .padding = shape.window.padding,
              .edge = edge,
              .down = positions_.down,
              .across = positions_.across},
      weights_{.height = shape.window.kernel,
               .width = shape.window.kernel,
               .channels = shape.y[3],
               .pixel = std::size_t{shape.x[3]} * shape.y[3],
               .stride = shape.window.stride,
               .padding = 0},
      zeros_(std::max(shape.x[3], shape.y[3])),
      beyond_(n_points() * zeros_.size()) {
  if (!fits(shape.window) || (edge != 2 && edge != 4)) {
    throw InternalError("a window or tiles that Winograd's filtering does not fit");
  }
}

template <class Number>
LIPIZZ_INLINE void Winograd::write_points_of_images(const float* x, std::size_t n_images,
                                                    Points<Number> points) const {
  with_filtering(edge_, n_taps_, [&](auto filtering) LIPIZZ_INLINE_LAMBDA {
    using F = decltype(filtering);
    gather<F::kPoints, F::kPoints>(images_, x, n_images, zeros_.data(), points,
                                   [](const auto& line)
                                       LIPIZZ_INLINE_LAMBDA { return F::of_pixels(line); });
  });
}

LIPIZZ_MULTIVERSION
void Winograd::points_of_images(const float* x, std::size_t n_images, Points<float> points) const {
  write_points_of_images(x, n_images, points);
}

LIPIZZ_MULTIVERSION
void Winograd::points_of_images(const float* x, std::size_t n_images, Points<Bf16> points) const {
  write_points_of_images(x, n_images, points);
}

LIPIZZ_MULTIVERSION
void Winograd::images_of_points(Points<const float> points, std::size_t n_images, float* x) {
  std::ranges::fill(beyond_, 0.0f);
  with_filtering(edge_, n_taps_, [&](auto filtering) LIPIZZ_INLINE_LAMBDA {
    using F = decltype(filtering);
    for (std::size_t i = 0; i < n_images; ++i, x += images_.image_size()) {
      std::fill_n(x, images_.image_size(), 0.0f);
      scatter<F::kPoints, F::kPoints, true>(
          images_, points, 1, beyond_.data(), x,
          [](const auto& line) LIPIZZ_INLINE_LAMBDA { return F::to_pixels(line); });
      points.first += images_.n_tiles() * points.pitch;
    }
  });
}

LIPIZZ_MULTIVERSION
void Winograd::positions_of_points(Points<const float> points, std::size_t n_images, float* y) {
  with_filtering(edge_, n_taps_, [&](auto filtering) LIPIZZ_INLINE_LAMBDA {
    using F = decltype(filtering);
    scatter<F::kPoints, F::kPositions, false>(
        positions_, points, n_images, beyond_.data(), y,
        [](const auto& line) LIPIZZ_INLINE_LAMBDA { return F::to_positions(line); });
  });
}

template <class Number>
LIPIZZ_INLINE void Winograd::write_points_of_positions(const float* y, std::size_t n_images,
                                                       Points<Number> points) const {
  with_filtering(edge_, n_taps_, [&](auto filtering) LIPIZZ_INLINE_LAMBDA {
    using F = decltype(filtering);
    gather<F::kPositions, F::kPoints>(positions_, y, n_images, zeros_.data(), points,
                                      [](const auto& line)
                                          LIPIZZ_INLINE_LAMBDA { return F::of_positions(line); });
  });
}

LIPIZZ_MULTIVERSION
void Winograd::points_of_positions(const float* y, std::size_t n_images,
                                   Points<float> points) const {
  write_points_of_positions(y, n_images, points);
}

LIPIZZ_MULTIVERSION
void Winograd::points_of_positions(const float* y, std::size_t n_images,
                                   Points<Bf16> points) const {
  write_points_of_positions(y, n_images, points);
}

// All taps lie inside of a window: nothing is read or written elsewhere.
template <class Number>
LIPIZZ_INLINE void Winograd::write_points_of_weights(const float* weights, std::size_t first,
                                                     std::size_t n, Points<Number> points) const {
  with_filtering(edge_, n_taps_, [&](auto filtering) LIPIZZ_INLINE_LAMBDA {
    using F = decltype(filtering);
    for_each_input(weights_, weights, first, n, points.pitch,
                   [&](const float* taps, std::size_t i, std::size_t j, std::size_t row,
                       std::size_t n_numbers) LIPIZZ_INLINE_LAMBDA {
                     const auto in = tile_at<F::kTaps>(weights_, taps, i, j, taps, 0);
                     const auto out =
                         one_of_each<F::kPoints>(points.first + row * points.pitch, points.apart);
                     write_points<F::kTaps, F::kPoints>(
                         in, out, n_numbers,
                         [](const auto& line) LIPIZZ_INLINE_LAMBDA { return F::of_taps(line); });
                   });
  });
}

LIPIZZ_MULTIVERSION
void Winograd::points_of_weights(const float* weights, std::size_t first, std::size_t n,
                                 Points<float> points) const {
  write_points_of_weights(weights, first, n, points);
}

LIPIZZ_MULTIVERSION
void Winograd::points_of_weights(const float* weights, std::size_t first, std::size_t n,
                                 Points<Bf16> points) const {
  write_points_of_weights(weights, first, n, points);
}

LIPIZZ_MULTIVERSION
void Winograd::weights_of_points(Points<const float> points, float* weights) const {
  with_filtering(edge_, n_taps_, [&](auto filtering) LIPIZZ_INLINE_LAMBDA {
    using F = decltype(filtering);
    for_each_input(
        weights_, weights, 0, depth(), points.pitch,
        [&](float* taps, std::size_t i, std::size_t j, std::size_t row,
            std::size_t n) LIPIZZ_INLINE_LAMBDA {
          const auto in = one_of_each<F::kPoints>(points.first + row * points.pitch, points.apart);
          const auto out = tile_at<F::kTaps>(weights_, taps, i, j, taps, 0);
          transform<F::kPoints, F::kTaps, false>(
              in, out, n, [](const auto& line) LIPIZZ_INLINE_LAMBDA { return F::to_taps(line); });
        });
  });
}

std::size_t winograd_images_at_a_time(const ConvolutionShape& shape, std::size_t edge) {
  // Products are worth their start, and memory is left. Gaps between rows are not counted.
  constexpr std::size_t kLeastBytes = 4 << 20;
  constexpr std::size_t kMostBytes = 64 << 20;
  const Winograd winograd(shape, edge);
  const std::size_t bytes_of_point = winograd.n_points() * sizeof(float);
  const std::size_t depth = winograd.depth();
  const std::size_t n_outputs = winograd.n_outputs();
  return images_at_a_time(
      shape.x[0], bytes_of_point * winograd.n_tiles() * (depth + n_outputs),
      std::clamp(2 * bytes_of_point * depth * n_outputs, kLeastBytes, kMostBytes));
}

}  // namespace lipizz::nn
