#pragma once

#include <cstddef>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// A convolution from images x [n, H, W, C] to output positions y [n, H', W', O]: the common part
/// of the three operations kConvolution, kTransposedConvolution and kConvolutionWeightGradient.
struct ConvolutionShape {
  Shape x;
  Shape y;
  Window window;
  auto operator<=>(const ConvolutionShape&) const = default;

  /// Elements of one window of one group.
  [[nodiscard]] std::size_t n_window() const {
    return std::size_t{window.kernel} * window.kernel * (x[3] / window.groups);
  }
  /// Output positions of one image.
  [[nodiscard]] std::size_t n_positions() const { return std::size_t{y[1]} * y[2]; }
  /// True when the windows, one after the other, are the images themselves.
  [[nodiscard]] bool is_plain() const {
    const bool is_whole = y[1] == 1 && y[2] == 1 && window.padding == 0 && x[1] == window.kernel &&
                          x[2] == window.kernel;
    const bool is_pointwise = window.kernel == 1 && window.stride == 1 && window.padding == 0;
    return window.groups == 1 && (is_whole || is_pointwise);
  }
};

/// True when the value is the result of one of the three.
bool is_convolution(const Graph& graph, ValueId value);

/// The shape of the convolution whose result the value is.
ConvolutionShape convolution_shape(const Graph& graph, ValueId value);

}  // namespace lipizz::nn
