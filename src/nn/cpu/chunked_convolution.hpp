#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nn/cpu/node_kernel.hpp"
#include "nn/cpu/onednn_primitives.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn {

/// The most images that divide the batch and that fit into `most_bytes`, one at least.
inline std::size_t images_at_a_time(std::size_t n_images, std::size_t bytes_each,
                                    std::size_t most_bytes) {
  std::size_t n = std::clamp<std::size_t>(most_bytes / bytes_each, 1, n_images);
  while (n_images % n != 0) --n;
  return n;
}

/// A convolution as matrix products on one chunk of images after the other, each with the same
/// kernels.
class ChunkedConvolution : public NodeKernel {
 public:
  [[nodiscard]] std::size_t n_workspace() const override { return n_workspace_; }
  void use_workspace(float* workspace) override { workspace_ = workspace; }

 protected:
  using OfShape = std::size_t (*)(const ConvolutionShape& shape);
  /// `chunk`: images, a divisor of the batch. `workspace_bytes`: of it.
  ChunkedConvolution(const Graph& graph, ValueId value, OfShape chunk, OfShape workspace_bytes)
      : NodeKernel(graph, value),
        shape_(convolution_shape(graph, value)),
        chunk_(chunk(shape_)),
        n_rows_(static_cast<std::int64_t>(chunk_ * shape_.n_positions())),
        n_outputs_(shape_.y[3]),
        n_workspace_(workspace_bytes(shape_) / sizeof(float)) {}

  [[nodiscard]] float* workspace() const { return workspace_; }  // [n_workspace()]
  [[nodiscard]] std::size_t n_chunks() const { return shape_.x[0] / chunk_; }
  [[nodiscard]] std::size_t x_size() const {
    return chunk_ * shape_.x[1] * shape_.x[2] * shape_.x[3];
  }
  [[nodiscard]] std::size_t y_size() const { return chunk_ * shape_.n_positions() * shape_.y[3]; }

  /// A product that overwrites its result, and one that adds to it.
  static std::vector<Product> products(const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                                       const dnnl::memory::desc& c) {
    std::vector<Product> both;
    for (const bool adds : {false, true}) {
      both.emplace_back(a, b, c, false, Activation::kNone, adds);
    }
    return both;
  }

  ConvolutionShape shape_;
  std::size_t chunk_;    // images
  std::int64_t n_rows_;  // positions of a chunk
  std::int64_t n_outputs_;

 private:
  std::size_t n_workspace_;
  float* workspace_ = nullptr;
};

}  // namespace lipizz::nn
