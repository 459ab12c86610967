#pragma once

#include <cstddef>

#include "nn/graph/convolution.hpp"
#include "nn/graph/operation.hpp"

/// How images and weights lie for the loops of direct convolutions (nn/cpu/direct_loops.hpp).
namespace lipizz::nn {

/// True for windows of stride 1, wider than their padding, with a multiple of sixteen channels: of
/// the output positions, for the transposed convolution of the images, of groups on both sides; and
/// for the weight gradient of plain windows with such a multiple on one side.
bool is_direct(const Operation& operation, const ConvolutionShape& shape);

/// One image [height, width, parts * channels], to be packed by parts with its padding written out
/// as zeros: lines [padded width, channels].
struct ImagePacking {
  std::size_t height, width, parts, channels, padding;

  /// Floats of a line of one part.
  [[nodiscard]] std::size_t line_size() const { return (width + 2 * padding) * channels; }
  /// Writes some lines of the padded image, [parts, n_lines, line_size()].
  void pack(const float* image, std::size_t first_line, std::size_t n_lines, float* packed) const;
};

/// The images of a convolution, a part for each group.
ImagePacking packed_images(const ConvolutionShape& shape);
/// Its output positions, a part for each group, with the padding with which the transposed
/// convolution is one of stride 1.
ImagePacking padded_positions(const ConvolutionShape& shape);
/// Its output positions, a part for every sixteen outputs.
ImagePacking packed_positions(const ConvolutionShape& shape);

/// The weights [k, k, C / groups, O] of a convolution. Packed they are [O / 16, k, k, C / groups,
/// 16]; for the transposed convolution, taps backwards and inputs for outputs, [C / 16, k, k,
/// O / groups, 16].
class DirectWeights {
 public:
  explicit DirectWeights(const ConvolutionShape& shape);

  /// Floats.
  [[nodiscard]] std::size_t size() const { return taps_ * inputs_ * outputs_; }

  void pack(const float* weights, float* packed) const;
  void unpack(const float* packed, float* weights) const;
  void pack_transposed(const float* weights, float* packed) const;

 private:
  template <class Each>
  void for_each_block(const Each& each) const;

  std::size_t taps_, inputs_, outputs_, groups_;  // inputs of a group, outputs of all
};

}  // namespace lipizz::nn
