#pragma once

#include <cstddef>

#include "nn/base/engine.hpp"
#include "nn/cpu/output_vectors.hpp"

namespace lipizz::nn {

/// A convolution of stride 1 of one group of one image, for `kDirectOutputs` of its outputs.
struct DirectShape {
  std::size_t height;    // of the output positions
  std::size_t width;     // of the output positions
  std::size_t kernel;    // pixels in each direction
  std::size_t channels;  // of the group's images

  /// Floats of a line of images, whose padding is written out.
  [[nodiscard]] std::size_t line_size() const { return (width + kernel - 1) * channels; }
  /// Floats of a line of one window, which lie together in an image.
  [[nodiscard]] std::size_t n_line_taps() const { return kernel * channels; }
};

/// The loops of direct convolutions: sums stay in registers, windows are read where they lie.
/// Images x are [height + kernel - 1, line_size()], weights [kernel, n_line_taps(), 16].
struct DirectLoops {
  /// Writes y [height, width] of 16 outputs each, `y_stride` floats from one position to the next;
  /// each sum in the order of the weights.
  void (*convolve)(const DirectShape& shape, const float* x, const float* weights, float* y,
                   std::size_t y_stride);
  /// Adds the products of x and dy [height, width, 16] to `weights`, position after position.
  void (*add_weight_gradient)(const DirectShape& shape, const float* x, const float* dy,
                              float* weights);
};

/// Those of a level; its bits depend on nothing else. The processor has to offer the level.
const DirectLoops& direct_loops(NumericsLevel level);

}  // namespace lipizz::nn
