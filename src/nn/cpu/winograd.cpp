#include "nn/cpu/winograd.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/simd.hpp"

namespace lipizz::nn {
namespace {

template <std::size_t n>
using Line = std::array<float, n>;

// In one direction: the r + 1 points of as many pixels of a phase, of r taps and of two places, and
// the adjoints.
struct TwoTaps {
  static constexpr std::size_t kTaps = 2;
  static LIPIZZ_INLINE Line<3> of_pixels(const Line<3>& d) {
    return {d[0] - d[1], d[1], d[2] - d[1]};
  }
  static LIPIZZ_INLINE Line<3> to_pixels(const Line<3>& p) {
    return {p[0], p[1] - (p[0] + p[2]), p[2]};
  }
  static LIPIZZ_INLINE Line<3> of_taps(const Line<2>& w) { return {w[0], w[0] + w[1], w[1]}; }
  static LIPIZZ_INLINE Line<2> to_taps(const Line<3>& p) { return {p[0] + p[1], p[1] + p[2]}; }
  static LIPIZZ_INLINE Line<3> of_places(const Line<2>& y) { return of_taps(y); }
  static LIPIZZ_INLINE Line<2> to_places(const Line<3>& p) { return to_taps(p); }
};

struct ThreeTaps {
  static constexpr std::size_t kTaps = 3;
  static LIPIZZ_INLINE Line<4> of_pixels(const Line<4>& d) {
    return {d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]};
  }
  static LIPIZZ_INLINE Line<4> to_pixels(const Line<4>& p) {
    return {p[0], (p[1] - p[2]) + p[3], (p[1] + p[2]) - p[0], -p[3]};
  }
  static LIPIZZ_INLINE Line<4> of_taps(const Line<3>& w) {
    const float outer = 0.5f * (w[0] + w[2]);
    const float inner = 0.5f * w[1];
    return {w[0], outer + inner, outer - inner, w[2]};
  }
  static LIPIZZ_INLINE Line<3> to_taps(const Line<4>& p) {
    const float outer = 0.5f * (p[1] + p[2]);
    return {p[0] + outer, 0.5f * (p[1] - p[2]), outer + p[3]};
  }
  static LIPIZZ_INLINE Line<4> of_places(const Line<2>& y) {
    return {y[0], y[0] + y[1], y[0] - y[1], -y[1]};
  }
  static LIPIZZ_INLINE Line<2> to_places(const Line<4>& p) {
    return {(p[0] + p[1]) + p[2], (p[1] - p[2]) - p[3]};
  }
};

// The elements of a square, row by row, of `n` squares side by side.
template <std::size_t edge, class T>
using Square = std::array<T*, edge * edge>;

// Takes the rows of every square, and then its columns, through a function of lines.
template <std::size_t from, std::size_t to, Line<to> (*of_line)(const Line<from>&), bool adds>
LIPIZZ_INLINE void transform(const Square<from, const float>& in, const Square<to, float>& out,
                             std::size_t n) {
  LIPIZZ_INDEPENDENT
  for (std::size_t k = 0; k < n; ++k) {
    std::array<Line<to>, from> rows;
    for (std::size_t i = 0; i < from; ++i) {
      Line<from> row;
      for (std::size_t j = 0; j < from; ++j) row[j] = in[i * from + j][k];
      rows[i] = of_line(row);
    }
    for (std::size_t j = 0; j < to; ++j) {
      Line<from> column;
      for (std::size_t i = 0; i < from; ++i) column[i] = rows[i][j];
      const Line<to> result = of_line(column);
      for (std::size_t i = 0; i < to; ++i) {
        float* element = out[i * to + j] + k;
        *element = adds ? *element + result[i] : result[i];
      }
    }
  }
}

// Images in tiles that begin every two pixels of a phase.
struct Tiling {
  const Shape& shape;  // [n, height, width, channels]
  std::size_t stride;  // between the pixels of a phase
  std::size_t padding;
  std::size_t down, across;  // tiles of an image

  [[nodiscard]] std::size_t n_channels() const { return shape[3]; }
  [[nodiscard]] std::size_t depth() const { return stride * stride * shape[3]; }
  [[nodiscard]] std::size_t image_size() const {
    return std::size_t{shape[1]} * shape[2] * shape[3];
  }
};

// A tile of one phase of an image; its elements outside lie at `outside`, `apart` from each other.
template <std::size_t edge, class T>
LIPIZZ_INLINE Square<edge, T> tile_at(const Tiling& t, T* image, std::size_t top, std::size_t left,
                                      T* outside, std::size_t apart) {
  Square<edge, T> square;
  for (std::size_t i = 0; i < edge; ++i) {
    const std::size_t h = top + i * t.stride - t.padding;  // huge if above
    for (std::size_t j = 0; j < edge; ++j) {
      const std::size_t w = left + j * t.stride - t.padding;
      const bool is_inside = h < t.shape[1] && w < t.shape[2];
      const std::size_t e = i * edge + j;
      square[e] = is_inside ? image + (h * t.shape[2] + w) * t.shape[3] : outside + e * apart;
    }
  }
  return square;
}

template <std::size_t edge, class T>
LIPIZZ_INLINE Square<edge, T> one_of_each(T* matrices, std::size_t matrix_size) {
  Square<edge, T> square;
  for (std::size_t e = 0; e < square.size(); ++e) square[e] = matrices + e * matrix_size;
  return square;
}

// Calls with each tile of each phase: its image, its first pixel from the padding's edge, and where
// its channels begin in a matrix [tiles, channels of all phases].
template <class Each>
LIPIZZ_INLINE void for_each_tile(const Tiling& t, std::size_t n_images, const Each& each) {
  std::size_t at = 0;
  for (std::size_t image = 0; image < n_images; ++image) {
    for (std::size_t row = 0; row < t.down; ++row) {
      for (std::size_t column = 0; column < t.across; ++column) {
        for (std::size_t i = 0; i < t.stride; ++i) {
          for (std::size_t j = 0; j < t.stride; ++j, at += t.n_channels()) {
            each(image, 2 * row * t.stride + i, 2 * column * t.stride + j, at);
          }
        }
      }
    }
  }
}

template <std::size_t from, std::size_t to, Line<to> (*of_line)(const Line<from>&)>
LIPIZZ_INLINE void gather(const Tiling& t, const float* images, std::size_t n_images,
                          const float* zeros, float* points) {
  const std::size_t matrix_size = n_images * t.down * t.across * t.depth();
  for_each_tile(
      t, n_images,
      [&](std::size_t image, std::size_t top, std::size_t left, std::size_t at)
          __attribute__((always_inline)) {
            const auto in = tile_at<from>(t, images + image * t.image_size(), top, left, zeros, 0);
            const auto out = one_of_each<to>(points + at, matrix_size);
            transform<from, to, of_line, false>(in, out, t.n_channels());
          });
}

template <std::size_t from, std::size_t to, Line<to> (*of_line)(const Line<from>&), bool adds>
LIPIZZ_INLINE void scatter(const Tiling& t, const float* points, std::size_t n_images,
                           float* beyond, float* images) {
  const std::size_t matrix_size = n_images * t.down * t.across * t.depth();
  for_each_tile(
      t, n_images,
      [&](std::size_t image, std::size_t top, std::size_t left, std::size_t at)
          __attribute__((always_inline)) {
            const auto in = one_of_each<from>(points + at, matrix_size);
            const auto out =
                tile_at<to>(t, images + image * t.image_size(), top, left, beyond, t.n_channels());
            transform<from, to, of_line, adds>(in, out, t.n_channels());
          });
}

// Calls with the taps of each phase and its points, each [channels, O].
template <std::size_t n_taps, class W, class P, class Each>
LIPIZZ_INLINE void for_each_phase(const ConvolutionShape& s, W* weights, P* points,
                                  const Each& each) {
  const auto [kernel, stride, padding] = s.window;
  const std::size_t n = std::size_t{s.x[3]} * s.y[3];
  const std::size_t matrix_size = stride * stride * n;
  for (std::size_t i = 0; i < stride; ++i) {
    for (std::size_t j = 0; j < stride; ++j) {
      Square<n_taps, W> taps;
      for (std::size_t e = 0; e < taps.size(); ++e) {
        const std::size_t down = i + e / n_taps * stride;
        const std::size_t right = j + e % n_taps * stride;
        taps[e] = weights + (down * kernel + right) * n;
      }
      each(taps, one_of_each<n_taps + 1>(points + (i * stride + j) * n, matrix_size), n);
    }
  }
}

template <class Taps>
LIPIZZ_INLINE void gather_taps(const ConvolutionShape& s, const float* weights, float* points) {
  constexpr std::size_t n = Taps::kTaps;
  for_each_phase<n>(
      s, weights, points,
      [](const auto& taps, const auto& out, std::size_t n_elements) __attribute__((always_inline)) {
        transform<n, n + 1, Taps::of_taps, false>(taps, out, n_elements);
      });
}

template <class Taps>
LIPIZZ_INLINE void scatter_taps(const ConvolutionShape& s, const float* points, float* weights) {
  constexpr std::size_t n = Taps::kTaps;
  for_each_phase<n>(
      s, weights, points,
      [](const auto& taps, const auto& in, std::size_t n_elements) __attribute__((always_inline)) {
        transform<n + 1, n, Taps::to_taps, false>(in, taps, n_elements);
      });
}

std::size_t half(std::size_t n) {
  return (n + 1) / 2;
}

}  // namespace

bool Winograd::fits(const Window& window) {
  return window.kernel == 2 * window.stride || window.kernel == 3 * window.stride;
}

Winograd::Winograd(const ConvolutionShape& shape)
    : shape_(shape),
      n_taps_(shape.window.kernel / shape.window.stride),
      tiles_down_(half(shape.y[1])),
      tiles_across_(half(shape.y[2])),
      zeros_(std::max(shape.x[3], shape.y[3])),
      beyond_(n_points() * zeros_.size()) {
  if (!fits(shape.window)) throw InternalError("a window that Winograd's filtering does not fit");
}

std::size_t Winograd::depth() const {
  return std::size_t{shape_.window.stride} * shape_.window.stride * shape_.x[3];
}

LIPIZZ_MULTIVERSION
void Winograd::points_of_images(const float* x, std::size_t n_images, float* points) const {
  const Tiling t{shape_.x, shape_.window.stride, shape_.window.padding, tiles_down_, tiles_across_};
  if (n_taps_ == 2) gather<3, 3, TwoTaps::of_pixels>(t, x, n_images, zeros_.data(), points);
  if (n_taps_ == 3) gather<4, 4, ThreeTaps::of_pixels>(t, x, n_images, zeros_.data(), points);
}

LIPIZZ_MULTIVERSION
void Winograd::images_of_points(const float* points, std::size_t n_images, float* x) {
  const Tiling t{shape_.x, shape_.window.stride, shape_.window.padding, tiles_down_, tiles_across_};
  std::fill_n(x, n_images * t.image_size(), 0.0f);
  std::ranges::fill(beyond_, 0.0f);
  float* beyond = beyond_.data();
  if (n_taps_ == 2) scatter<3, 3, TwoTaps::to_pixels, true>(t, points, n_images, beyond, x);
  if (n_taps_ == 3) scatter<4, 4, ThreeTaps::to_pixels, true>(t, points, n_images, beyond, x);
}

LIPIZZ_MULTIVERSION
void Winograd::places_of_points(const float* points, std::size_t n_images, float* y) {
  const Tiling t{shape_.y, 1, 0, tiles_down_, tiles_across_};
  float* beyond = beyond_.data();
  if (n_taps_ == 2) scatter<3, 2, TwoTaps::to_places, false>(t, points, n_images, beyond, y);
  if (n_taps_ == 3) scatter<4, 2, ThreeTaps::to_places, false>(t, points, n_images, beyond, y);
}

LIPIZZ_MULTIVERSION
void Winograd::points_of_places(const float* y, std::size_t n_images, float* points) const {
  const Tiling t{shape_.y, 1, 0, tiles_down_, tiles_across_};
  if (n_taps_ == 2) gather<2, 3, TwoTaps::of_places>(t, y, n_images, zeros_.data(), points);
  if (n_taps_ == 3) gather<2, 4, ThreeTaps::of_places>(t, y, n_images, zeros_.data(), points);
}

LIPIZZ_MULTIVERSION
void Winograd::points_of_weights(const float* weights, float* points) const {
  if (n_taps_ == 2) gather_taps<TwoTaps>(shape_, weights, points);
  if (n_taps_ == 3) gather_taps<ThreeTaps>(shape_, weights, points);
}

LIPIZZ_MULTIVERSION
void Winograd::weights_of_points(const float* points, float* weights) const {
  if (n_taps_ == 2) scatter_taps<TwoTaps>(shape_, points, weights);
  if (n_taps_ == 3) scatter_taps<ThreeTaps>(shape_, points, weights);
}

}  // namespace lipizz::nn
