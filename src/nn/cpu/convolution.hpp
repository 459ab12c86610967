#pragma once

#include <cstddef>

#include "nn/graph.hpp"

/// Convolutions as matrix products: windows of an image as the rows of a matrix.
namespace lipizz::nn {

/// A convolution from images [n, H, W, C] to places [n, H', W', O].
struct ConvolutionShape {
  Shape x;
  Shape y;
  Window window;

  /// Elements of one window.
  [[nodiscard]] std::size_t n_window() const {
    return std::size_t{window.kernel} * window.kernel * x[3];
  }
  /// Places of one image.
  [[nodiscard]] std::size_t n_places() const { return std::size_t{y[1]} * y[2]; }
  /// Whether the windows, one after the other, are the images themselves.
  [[nodiscard]] bool is_plain() const {
    const bool is_whole = y[1] == 1 && y[2] == 1 && window.padding == 0 && x[1] == window.kernel &&
                          x[2] == window.kernel;
    const bool is_pointwise = window.kernel == 1 && window.stride == 1 && window.padding == 0;
    return is_whole || is_pointwise;
  }
};

/// windows[place] = what the window covers there, zero outside, for `n_images` from `x` on.
/// windows: [n_images * n_places, n_window]
void gather_windows(const ConvolutionShape& shape, const float* x, std::size_t n_images,
                    float* windows);

/// The reverse: x = sum of what the windows hold of it, in order of places. x is overwritten.
void scatter_windows(const ConvolutionShape& shape, const float* windows, std::size_t n_images,
                     float* x);

}  // namespace lipizz::nn
