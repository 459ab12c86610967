#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nn/base/buffer.hpp"
#include "nn/cpu/matrix_product.hpp"
#include "nn/cpu/node_kernel.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn {

/// The most images that divide the batch and that fit into `most_bytes`, one at least.
inline std::size_t images_at_a_time(std::size_t n_images, std::size_t bytes_each,
                                    std::size_t most_bytes) {
  std::size_t n = std::clamp<std::size_t>(most_bytes / bytes_each, 1, n_images);
  while (n_images % n != 0) --n;
  return n;
}

/// Floats of workspace with those of a convolution's products behind its own.
inline std::size_t n_with_products(std::size_t n_own, Precision precision) {
  return precision == Precision::kBf16 ? padded<float>(n_own) + Bf16Product::kMostWorkspace : n_own;
}

/// A convolution as matrix products on one chunk of images after the other, each with the same
/// kernels.
class ChunkedConvolution : public NodeKernel {
 public:
  [[nodiscard]] std::size_t n_workspace() const override {
    return n_with_products(n_own_, precision_);
  }
  void use_workspace(float* workspace) override { workspace_ = workspace; }

 protected:
  using OfShape = std::size_t (*)(const ConvolutionShape& shape);
  /// `chunk`: images, a divisor of the batch. `workspace_bytes`: of it.
  ChunkedConvolution(const Graph& graph, ValueId value, Precision precision, OfShape chunk,
                     OfShape workspace_bytes)
      : NodeKernel(graph, value),
        shape_(convolution_shape(graph, value)),
        chunk_(chunk(shape_)),
        n_rows_(chunk_ * shape_.n_positions()),
        n_outputs_(shape_.y[3]),
        precision_(precision),
        n_own_(workspace_bytes(shape_) / sizeof(float)) {}

  [[nodiscard]] float* workspace() const { return workspace_; }
  [[nodiscard]] std::size_t n_chunks() const { return shape_.x[0] / chunk_; }
  [[nodiscard]] std::size_t x_size() const {
    return chunk_ * shape_.x[1] * shape_.x[2] * shape_.x[3];
  }
  [[nodiscard]] std::size_t y_size() const { return chunk_ * shape_.n_positions() * shape_.y[3]; }

  [[nodiscard]] MatrixProduct product(const ProductSpec& spec) const { return {spec, precision_}; }
  /// A product that overwrites its result, and one that adds to it.
  [[nodiscard]] std::vector<MatrixProduct> products(ProductSpec spec) const {
    std::vector<MatrixProduct> both;
    for (const bool adds : {false, true}) {
      spec.adds = adds;
      both.push_back(product(spec));
    }
    return both;
  }
  void multiply(MatrixProduct& product, const float* a, const float* b, const float* bias,
                float* c) const {
    product.run(a, b, bias, c, workspace_ + padded<float>(n_own_));
  }

  ConvolutionShape shape_;
  std::size_t chunk_;   // images
  std::size_t n_rows_;  // positions of a chunk
  std::size_t n_outputs_;

 private:
  Precision precision_;
  std::size_t n_own_;  // floats of workspace beside those of the products
  float* workspace_ = nullptr;
};

}  // namespace lipizz::nn
