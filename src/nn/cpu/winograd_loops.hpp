#pragma once

#include <cstddef>

#include "nn/base/engine.hpp"
#include "nn/cpu/output_vectors.hpp"

namespace lipizz::nn {

/// A convolution of 3x3 windows of stride 1, in tiles of 2x2 output positions, row after row of one
/// image after the other. Pixels beyond an edge count as zero.
struct WinogradTiles {
  struct Images {
    std::size_t height, width;
    std::size_t channels;  // floats from a pixel to the next: those of all groups
  };
  std::size_t n_images;
  Images x;  // what the windows lie in
  Images y;  // the output positions
  std::size_t padding;
  std::size_t group_inputs;  // of x, a multiple of sixteen

  [[nodiscard]] std::size_t down() const { return (y.height + 1) / 2; }
  [[nodiscard]] std::size_t across() const { return (y.width + 1) / 2; }
};

/// Points of one direction squared, F(2x2, 3x3).
inline constexpr std::size_t kWinogradPoints = 16;

/// Tiles that are taken together at any level, at most.
inline constexpr std::size_t kMostWinogradTiles = Avx512Registers::kMost;

/// Tiles of one group that are filtered one after the other.
template <class Y>
struct TileRange {
  std::size_t first, n;  // tiles
  const float* x;        // the group's channels of the first image
  Y* y;                  // the place of sixteen outputs in the first position
};

/// Winograd's filtering of groups: a few tiles of one group are transformed, multiplied and
/// transformed back in the first cache. Meanwhile the pixels and positions of those that follow, in
/// `next` at last, are brought to the second one.
struct WinogradLoops {
  /// Writes the outputs of a range. weights: points [16, group_inputs, 16]. workspace: floats for
  /// the points of kMostWinogradTiles, [16, group_inputs + 16] each.
  void (*convolve)(const WinogradTiles& tiles, const TileRange<float>& range,
                   const TileRange<float>& next, const float* weights, float* workspace);
  /// Adds a range's part of the gradient, from that of y, to the points of weights.
  void (*add_weight_gradient)(const WinogradTiles& tiles, const TileRange<const float>& range,
                              const TileRange<const float>& next, float* weights, float* workspace);
};

/// Those of a level; its bits depend on nothing else. The processor has to offer the level.
const WinogradLoops& winograd_loops(NumericsLevel level);

}  // namespace lipizz::nn
