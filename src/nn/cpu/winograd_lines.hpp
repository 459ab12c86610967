#pragma once

#include <array>
#include <cstddef>

#include "core/simd.hpp"

/// The transforms of Winograd's minimal filtering F(positions, taps) in one direction. Source:
/// Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2016.
namespace lipizz::nn {

/// So many of T, floats or vectors of them, in one direction.
template <class T, std::size_t n>
using Line = std::array<T, n>;

/// A column of rows that have been through a function of lines, through it as well.
template <class T, std::size_t n, std::size_t n_rows, class OfLine>
LIPIZZ_INLINE auto column_of(const std::array<Line<T, n>, n_rows>& rows, std::size_t j,
                             const OfLine& of_line) {
  Line<T, n_rows> column;
#pragma GCC unroll 6
  for (std::size_t i = 0; i < n_rows; ++i) column[i] = rows[i][j];
  return of_line(column);
}

template <std::size_t positions, std::size_t taps>
struct FilteringSizes {
  static constexpr std::size_t kPositions = positions;
  static constexpr std::size_t kTaps = taps;
  static constexpr std::size_t kPoints = positions + taps - 1;
};

/// The points of as many pixels of a phase, of taps and of positions, and the adjoints. Those of
/// positions are the values of a polynomial at a few numbers and at infinity; those of taps are
/// divided by the product of each number's differences from the others, too; those of pixels are
/// the adjoint of interpolation there.
template <std::size_t positions, std::size_t taps>
struct MinimalFiltering;

/// At 0, 1 and infinity.
template <>
struct MinimalFiltering<2, 2> : FilteringSizes<2, 2> {
  template <class T>
  static LIPIZZ_INLINE Line<T, 3> of_pixels(const Line<T, 3>& d) {
    return {d[0] - d[1], d[1], d[2] - d[1]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 3> to_pixels(const Line<T, 3>& p) {
    return {p[0], p[1] - (p[0] + p[2]), p[2]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 3> of_taps(const Line<T, 2>& w) {
    return {w[0], w[0] + w[1], w[1]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 2> to_taps(const Line<T, 3>& p) {
    return {p[0] + p[1], p[1] + p[2]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 3> of_positions(const Line<T, 2>& y) {
    return of_taps(y);
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 2> to_positions(const Line<T, 3>& p) {
    return to_taps(p);
  }
};

/// At 0, 1, -1 and infinity.
template <>
struct MinimalFiltering<2, 3> : FilteringSizes<2, 3> {
  template <class T>
  static LIPIZZ_INLINE Line<T, 4> of_pixels(const Line<T, 4>& d) {
    return {d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 4> to_pixels(const Line<T, 4>& p) {
    return {p[0], (p[1] - p[2]) + p[3], (p[1] + p[2]) - p[0], -p[3]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 4> of_taps(const Line<T, 3>& w) {
    const T outer = 0.5f * (w[0] + w[2]);
    const T inner = 0.5f * w[1];
    return {w[0], outer + inner, outer - inner, w[2]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 3> to_taps(const Line<T, 4>& p) {
    const T outer = 0.5f * (p[1] + p[2]);
    return {p[0] + outer, 0.5f * (p[1] - p[2]), outer + p[3]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 4> of_positions(const Line<T, 2>& y) {
    return {y[0], y[0] + y[1], y[0] - y[1], -y[1]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 2> to_positions(const Line<T, 4>& p) {
    return {(p[0] + p[1]) + p[2], (p[1] - p[2]) - p[3]};
  }
};

/// At 0, 1, -1/2, -2 and infinity: errors are 0.6 of those at 0, 1, -1, 2 and infinity.
template <>
struct MinimalFiltering<4, 2> : FilteringSizes<4, 2> {
  template <class T>
  static LIPIZZ_INLINE Line<T, 5> of_pixels(const Line<T, 5>& d) {
    return {(d[0] - d[3]) + 1.5f * (d[1] - d[2]), (d[1] + d[3]) + 2.5f * d[2],
            (d[2] + d[3]) - 2.0f * d[1], d[3] - 0.5f * (d[1] + d[2]),
            (d[4] - d[1]) + 1.5f * (d[3] - d[2])};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 5> to_pixels(const Line<T, 5>& p) {
    const T half = 0.5f * p[3];
    return {p[0], (1.5f * p[0] + p[1]) - (2.0f * p[2] + (half + p[4])),
            (2.5f * p[1] + p[2]) - (1.5f * (p[0] + p[4]) + half),
            ((p[1] + p[2]) - p[0]) + (p[3] + 1.5f * p[4]), p[4]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 5> of_taps(const Line<T, 2>& w) {
    return {w[0], kTwoNinths * (w[0] + w[1]), kTwoNinths * (4.0f * w[0] - 2.0f * w[1]),
            kTwoNinths * (w[1] - 0.5f * w[0]), w[1]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 2> to_taps(const Line<T, 5>& p) {
    return {p[0] + kTwoNinths * ((p[1] + 4.0f * p[2]) - 0.5f * p[3]),
            kTwoNinths * ((p[1] + p[3]) - 2.0f * p[2]) + p[4]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 5> of_positions(const Line<T, 4>& y) {
    return {y[0], (y[0] + y[2]) + (y[1] + y[3]),
            (y[0] + 0.25f * y[2]) - (0.5f * y[1] + 0.125f * y[3]),
            (y[0] + 4.0f * y[2]) - (2.0f * y[1] + 8.0f * y[3]), y[3]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 4> to_positions(const Line<T, 5>& p) {
    return {(p[0] + p[1]) + (p[2] + p[3]), p[1] - (0.5f * p[2] + 2.0f * p[3]),
            p[1] + (0.25f * p[2] + 4.0f * p[3]), (p[1] + p[4]) - (0.125f * p[2] + 8.0f * p[3])};
  }

 private:
  static constexpr float kTwoNinths = 2.0f / 9;
};

/// At 0, 3/4, -3/4, 3/2, -3/2 and infinity: errors are about half of those at 0, 1, -1, 2, -2 and
/// infinity.
template <>
struct MinimalFiltering<4, 3> : FilteringSizes<4, 3> {
  template <class T>
  static LIPIZZ_INLINE Line<T, 6> of_pixels(const Line<T, 6>& d) {
    return line((kProduct * d[0] + d[4]) - kSum * d[2],
                Halves<T>{d[4] - kB2 * d[2], kA * (d[3] - kB2 * d[1]), d[4] - kA2 * d[2],
                          kB * (d[3] - kA2 * d[1])},
                (kProduct * d[1] + d[5]) - kSum * d[3]);
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 6> to_pixels(const Line<T, 6>& p) {
    const auto [even_a, odd_a, even_b, odd_b] = halves(p);
    return {kProduct * p[0],
            kProduct * p[5] - (kB2 * odd_a + kA2 * odd_b),
            -(kSum * p[0] + (kB2 * even_a + kA2 * even_b)),
            (odd_a + odd_b) - kSum * p[5],
            p[0] + (even_a + even_b),
            p[5]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 6> of_taps(const Line<T, 3>& w) {
    return line(kOfZero * w[0],
                Halves<T>{kOfA * (w[0] + kA2 * w[2]), kOfA * kA * w[1], kOfB * (w[0] + kB2 * w[2]),
                          kOfB * kB * w[1]},
                w[2]);
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 3> to_taps(const Line<T, 6>& p) {
    const T even_a = kOfA * (p[1] + p[2]);
    const T even_b = kOfB * (p[3] + p[4]);
    return {kOfZero * p[0] + (even_a + even_b),
            kOfA * kA * (p[1] - p[2]) + kOfB * kB * (p[3] - p[4]),
            (kA2 * even_a + kB2 * even_b) + p[5]};
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 6> of_positions(const Line<T, 4>& y) {
    return line(y[0],
                Halves<T>{y[0] + kA2 * y[2], kA * (y[1] + kA2 * y[3]), y[0] + kB2 * y[2],
                          kB * (y[1] + kB2 * y[3])},
                y[3]);
  }
  template <class T>
  static LIPIZZ_INLINE Line<T, 4> to_positions(const Line<T, 6>& p) {
    const auto [even_a, odd_a, even_b, odd_b] = halves(p);
    return {p[0] + (even_a + even_b), odd_a + odd_b, kA2 * even_a + kB2 * even_b,
            (kA2 * odd_a + kB2 * odd_b) + p[5]};
  }

 private:
  static constexpr float kA = 0.75f, kA2 = kA * kA;
  static constexpr float kB = 1.5f, kB2 = kB * kB;
  static constexpr float kSum = kA2 + kB2, kProduct = kA2 * kB2;
  // One over the product of a number's differences from the others.
  static constexpr float kOfZero = 1 / kProduct;
  static constexpr float kOfA = 1 / (2 * kA2 * (kA2 - kB2));
  static constexpr float kOfB = 1 / (2 * kB2 * (kB2 - kA2));

  // The parts of points at two numbers and their negatives in even powers, and in odd ones.
  template <class T>
  struct Halves {
    T even_a, odd_a, even_b, odd_b;
  };
  template <class T>
  static LIPIZZ_INLINE Line<T, 6> line(const T& zero, const Halves<T>& h, const T& infinity) {
    return {zero,    h.even_a + h.odd_a, h.even_a - h.odd_a, h.even_b + h.odd_b, h.even_b - h.odd_b,
            infinity};
  }
  template <class T>
  static LIPIZZ_INLINE Halves<T> halves(const Line<T, 6>& p) {
    return {p[1] + p[2], kA * (p[1] - p[2]), p[3] + p[4], kB * (p[3] - p[4])};
  }
};

/// Calls with the filtering of so many positions, 2 or 4, by so many taps, 2 or 3.
template <class Call>
LIPIZZ_INLINE auto with_filtering(std::size_t positions, std::size_t taps, const Call& call) {
  if (positions == 2 && taps == 2) return call(MinimalFiltering<2, 2>());
  if (positions == 2) return call(MinimalFiltering<2, 3>());
  if (taps == 2) return call(MinimalFiltering<4, 2>());
  return call(MinimalFiltering<4, 3>());
}

}  // namespace lipizz::nn
