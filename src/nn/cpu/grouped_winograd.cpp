#include "nn/cpu/grouped_winograd.hpp"

#include <algorithm>
#include <array>

#include "nn/cpu/direct_packing.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/node_kernel.hpp"
#include "nn/cpu/onednn_engine.hpp"
#include "nn/cpu/winograd.hpp"
#include "nn/cpu/winograd_loops.hpp"

namespace lipizz::nn {
namespace {

// Rows of tiles of all groups that are taken together: few enough to stay in the second cache.
constexpr std::size_t kBandBytes = 256 << 10;

// From the images' windows to the output positions.
WinogradTiles forward_tiles(const ConvolutionShape& shape) {
  return {shape.x[0],
          {shape.x[1], shape.x[2], shape.x[3]},
          {shape.y[1], shape.y[2], shape.y[3]},
          shape.window.padding,
          shape.x[3] / shape.window.groups};
}

// The transposed convolution of stride 1 is one of the positions.
WinogradTiles transposed_tiles(const ConvolutionShape& shape) {
  return {shape.x[0],
          {shape.y[1], shape.y[2], shape.y[3]},
          {shape.x[1], shape.x[2], shape.x[3]},
          shape.window.kernel - 1 - shape.window.padding,
          shape.y[3] / shape.window.groups};
}

// Sixteen outputs of one group: their weights are those of a convolution without groups.
ConvolutionShape block_of(const WinogradTiles& tiles, const Window& window) {
  const auto inputs = static_cast<std::uint32_t>(tiles.group_inputs);
  return {{1, 1, 1, inputs},
          {1, 1, 1, static_cast<std::uint32_t>(kDirectOutputs)},
          {.kernel = window.kernel, .stride = 1, .padding = 0}};
}

std::size_t rows_of_band(const WinogradTiles& tiles) {
  const std::size_t row_bytes =
      4 * tiles.across() * (tiles.x.channels + tiles.y.channels) * sizeof(float);
  return std::max<std::size_t>(1, kBandBytes / row_bytes);
}

// Packed weights, their points, and those of the tiles that are taken together.
std::size_t workspace_floats(const ConvolutionShape& shape) {
  const Window& window = shape.window;
  const std::size_t n_weights = DirectWeights(shape).size();
  const std::size_t n_points = n_weights / (window.kernel * window.kernel) * kWinogradPoints;
  const std::size_t group_channels = std::max(shape.x[3], shape.y[3]) / window.groups;
  return n_weights + n_points +
         kMostWinogradTiles * kWinogradPoints * (group_channels + kDirectOutputs);
}

std::size_t workspace_bytes_of(const ConvolutionShape& shape, const Engine&) {
  return workspace_floats(shape) * sizeof(float);
}

// The common part of the three: points of weights, and bands of tiles that go through the loops
// with every sixteen outputs.
class GroupedWinograd : public NodeKernel {
 public:
  [[nodiscard]] std::size_t n_workspace() const override { return workspace_floats(shape_); }
  void use_workspace(float* workspace) override { workspace_ = workspace; }

 protected:
  GroupedWinograd(const Graph& graph, ValueId value,
                  WinogradTiles (*tiles)(const ConvolutionShape&))
      : NodeKernel(graph, value),
        shape_(convolution_shape(graph, value)),
        tiles_(tiles(shape_)),
        weights_(shape_),
        block_(block_of(tiles_, shape_.window), 2),
        most_rows_(rows_of_band(tiles_)),
        loops_(winograd_loops(onednn_level())) {}

  [[nodiscard]] std::size_t n_blocks() const { return tiles_.y.channels / kDirectOutputs; }
  // Floats of the points of sixteen outputs' weights, of one and of all.
  [[nodiscard]] std::size_t point_size() const { return tiles_.group_inputs * kDirectOutputs; }
  [[nodiscard]] std::size_t block_size() const { return kWinogradPoints * point_size(); }
  [[nodiscard]] float* packed_weights(std::size_t block = 0) const {
    return workspace_ + block * weights_.size() / n_blocks();
  }
  [[nodiscard]] float* points(std::size_t block = 0) const {
    return workspace_ + weights_.size() + block * block_size();
  }
  [[nodiscard]] float* tile_points() const { return points(n_blocks()); }
  // The first channel of the group that sixteen outputs belong to.
  [[nodiscard]] std::size_t inputs_of(std::size_t block) const {
    const std::size_t group_outputs = tiles_.y.channels / shape_.window.groups;
    return block * kDirectOutputs / group_outputs * tiles_.group_inputs;
  }

  // Calls with the first row of tiles of each band, counted over all images.
  template <class Each>
  void for_each_band(const Each& each) const {
    for (std::size_t row = 0; row < n_rows(); row += most_rows_) each(row);
  }

  // The tiles of a band for sixteen outputs, and those that follow: for the next sixteen, or for
  // the first ones of the next band.
  template <class Y>
  [[nodiscard]] std::array<TileRange<Y>, 2> ranges(std::size_t row, std::size_t block,
                                                   const float* x, Y* y) const {
    const auto range = [&](std::size_t first_row, std::size_t b) -> TileRange<Y> {
      return {first_row * tiles_.across(), rows_from(first_row) * tiles_.across(), x + inputs_of(b),
              y + b * kDirectOutputs};
    };
    if (block + 1 < n_blocks()) return {range(row, block), range(row, block + 1)};
    return {range(row, block), range(row + rows_from(row), 0)};
  }

  // The first line of positions of a row of tiles, counted over all images.
  [[nodiscard]] std::size_t line_of(std::size_t row) const {
    return row / tiles_.down() * tiles_.y.height + row % tiles_.down() * 2;
  }

  // Those of the band that begins with a row.
  [[nodiscard]] std::size_t rows_from(std::size_t row) const {
    return std::min(most_rows_, n_rows() - row);
  }

  ConvolutionShape shape_;
  WinogradTiles tiles_;
  DirectWeights weights_;
  Winograd block_;
  std::size_t most_rows_;  // of tiles, in a band
  const WinogradLoops& loops_;

 private:
  // Rows of tiles of all images.
  [[nodiscard]] std::size_t n_rows() const { return shape_.x[0] * tiles_.down(); }

  float* workspace_ = nullptr;
};

// The results of windows.
class Convolving : public GroupedWinograd {
 public:
  void run(float* const* values) override {
    (weights_.*pack_)(input(values, 1), packed_weights());
    for (std::size_t b = 0; b < n_blocks(); ++b) {
      block_.points_of_weights(packed_weights(b), 0, block_.depth(),
                               {points(b), point_size(), kDirectOutputs});
    }
    const std::size_t line_size = tiles_.y.width * tiles_.y.channels;
    for_each_band([&](std::size_t row) {
      for (std::size_t b = 0; b < n_blocks(); ++b) {
        const auto [tiles, next] = ranges(row, b, input(values, 0), result(values));
        loops_.convolve(tiles_, tiles, next, points(b), tile_points());
      }
      const std::size_t first_line = line_of(row);
      finish_rows(attributes().activation, input(values, 2),
                  result(values) + first_line * line_size,
                  (line_of(row + rows_from(row)) - first_line) * line_size, tiles_.y.channels);
    });
  }

 protected:
  using Pack = void (DirectWeights::*)(const float* weights, float* packed) const;
  Convolving(const Graph& graph, ValueId value, WinogradTiles (*tiles)(const ConvolutionShape&),
             Pack pack)
      : GroupedWinograd(graph, value, tiles), pack_(pack) {}

 private:
  Pack pack_;
};

struct Forward final : Convolving {
  Forward(const Graph& graph, ValueId value)
      : Convolving(graph, value, forward_tiles, &DirectWeights::pack) {}
};

struct Transposed final : Convolving {
  Transposed(const Graph& graph, ValueId value)
      : Convolving(graph, value, transposed_tiles, &DirectWeights::pack_transposed) {}
};

class WeightGradient final : public GroupedWinograd {
 public:
  WeightGradient(const Graph& graph, ValueId value)
      : GroupedWinograd(graph, value, forward_tiles) {}

  void run(float* const* values) override {
    std::fill_n(points(), n_blocks() * block_size(), 0.0f);
    for_each_band([&](std::size_t row) {
      for (std::size_t b = 0; b < n_blocks(); ++b) {
        const float* dy = input(values, 1);
        const auto [tiles, next] = ranges(row, b, input(values, 0), dy);
        loops_.add_weight_gradient(tiles_, tiles, next, points(b), tile_points());
      }
    });
    for (std::size_t b = 0; b < n_blocks(); ++b) {
      block_.weights_of_points({points(b), point_size(), kDirectOutputs}, packed_weights(b));
    }
    weights_.unpack(packed_weights(), result(values));
  }
};

}  // namespace

constinit const ConvolutionAlgorithmKernels kGroupedWinograd =
    algorithm_kernels<Forward, Transposed, WeightGradient>(workspace_bytes_of);

}  // namespace lipizz::nn
