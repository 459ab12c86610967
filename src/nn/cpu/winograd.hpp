#pragma once

#include <cstddef>

#include "nn/base/buffer.hpp"
#include "nn/cpu/bf16.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn {

/// Winograd's minimal filtering F(m x m, r x r): m x m positions of a convolution from (m + r -
/// 1)^2 products instead of m^2 r^2. Source: Lavin and Gray, "Fast Algorithms for Convolutional
/// Neural Networks", 2016.
///
/// A window that is r strides wide is r x r taps on the image's phases: every stride-th pixel in
/// both directions, from each of the first on. Phases count as channels, so that
///
///     points of y[p] = points of x[p] * points of weights[p], p < (m + r - 1)^2
///
/// are products of matrices [tiles, channels of all phases] and [channels of all phases, O]. The
/// derivatives take each step's adjoint, the last one first. Points that are factors of products in
/// bf16 are written rounded (nn/cpu/bf16.hpp).
class Winograd {
 public:
  /// True when a window is two or three strides wide.
  static bool fits(const Window& window);
  /// In tiles of m = `edge` positions in both directions. InternalError where the window does not
  /// fit, or `edge` is neither 2 nor 4.
  Winograd(const ConvolutionShape& shape, std::size_t edge);

  [[nodiscard]] std::size_t n_points() const {
    const std::size_t n = edge_ + n_taps_ - 1;
    return n * n;
  }
  /// Tiles of one image; what hangs over the edge counts as zero.
  [[nodiscard]] std::size_t n_tiles() const { return positions_.n_tiles(); }
  /// Channels of all phases.
  [[nodiscard]] std::size_t depth() const { return images_.depth(); }
  [[nodiscard]] std::size_t n_outputs() const { return positions_.depth(); }

  /// One matrix for each point.
  template <class Number>
  struct Points {
    Number* first;
    std::size_t apart;  // numbers from one matrix to the next
    std::size_t pitch;  // and from one row to the next
  };

  /// points: [n_images * n_tiles, depth] each; x: [n_images, H, W, C]
  void points_of_images(const float* x, std::size_t n_images, Points<float> points) const;
  void points_of_images(const float* x, std::size_t n_images, Points<Bf16> points) const;
  /// Its adjoint; x is overwritten.
  void images_of_points(Points<const float> points, std::size_t n_images, float* x);

  /// points: [n_images * n_tiles, O] each; y: [n_images, H', W', O]
  void positions_of_points(Points<const float> points, std::size_t n_images, float* y);
  /// Its adjoint.
  void points_of_positions(const float* y, std::size_t n_images, Points<float> points) const;
  void points_of_positions(const float* y, std::size_t n_images, Points<Bf16> points) const;

  /// n rows from `first` on. points: those of [depth, O] each; weights: [kernel, kernel, C, O]
  void points_of_weights(const float* weights, std::size_t first, std::size_t n,
                         Points<float> points) const;
  void points_of_weights(const float* weights, std::size_t first, std::size_t n,
                         Points<Bf16> points) const;
  /// The adjoint, of all rows.
  void weights_of_points(Points<const float> points, float* weights) const;

 private:
  template <class Number>
  void write_points_of_images(const float* x, std::size_t n_images, Points<Number> points) const;
  template <class Number>
  void write_points_of_positions(const float* y, std::size_t n_images, Points<Number> points) const;
  template <class Number>
  void write_points_of_weights(const float* weights, std::size_t first, std::size_t n,
                               Points<Number> points) const;

  // Images in tiles that begin every `edge` pixels of a phase.
  struct Tiling {
    std::size_t height, width, channels;
    std::size_t pixel;   // floats from one pixel to the next
    std::size_t stride;  // between the pixels of a phase
    std::size_t padding;
    std::size_t edge = 0;
    std::size_t down = 0, across = 0;  // tiles of an image

    [[nodiscard]] std::size_t image_size() const { return height * width * pixel; }
    [[nodiscard]] std::size_t n_phases() const { return stride * stride; }
    [[nodiscard]] std::size_t depth() const { return n_phases() * channels; }
    [[nodiscard]] std::size_t n_tiles() const { return down * across; }
  };

  std::size_t edge_;    // m
  std::size_t n_taps_;  // r
  Tiling positions_;
  Tiling images_;
  Tiling weights_;        // O channels; the taps of an input are a tile of each phase
  Buffer<float> zeros_;   // what is read outside of an image, [channels]
  Buffer<float> beyond_;  // where what is written there goes, [n_points, channels]
};

/// Images whose points are there together in a convolution without groups, a divisor of the batch:
/// their points take twice as much memory as those of the weights, which are read for them all, or
/// less.
std::size_t winograd_images_at_a_time(const ConvolutionShape& shape, std::size_t edge);

}  // namespace lipizz::nn
