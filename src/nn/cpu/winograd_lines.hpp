#pragma once

#include <array>
#include <cstddef>

#include "core/simd.hpp"

/// The transforms of Winograd's minimal filtering F(2, r). Source: Lavin and Gray, "Fast Algorithms
/// for Convolutional Neural Networks", 2016.
namespace lipizz::nn {

/// So many of T, floats or vectors of them, in one direction.
template <class T, std::size_t n>
using Line = std::array<T, n>;

/// In one direction: the r + 1 points of as many pixels of a phase, of r taps and of two positions,
/// and the adjoints.
struct TwoTaps {
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

struct ThreeTaps {
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

}  // namespace lipizz::nn
