#pragma once

#include <algorithm>
#include <vector>

#include "nn/base/buffer.hpp"
#include "nn/cpu/images_at_a_time.hpp"
#include "nn/cpu/matrix_product.hpp"
#include "nn/cpu/node_kernel.hpp"
#include "nn/cpu/onednn_engine.hpp"
#include "nn/cpu/panel_packing.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn {

/// The sizes of a convolution as products of matrices, by its shape.
struct ChunkSizes {
  std::size_t (*images)(const ConvolutionShape& shape);  // of a chunk, a divisor of the batch
  // The workspace beside what products take, by their precision.
  std::size_t (*bytes)(const ConvolutionShape& shape, Precision precision);
  struct Weights {
    std::size_t n_matrices, rows, columns;

    /// Floats of one, packed in bf16, whichever of its sizes is that of inner terms.
    [[nodiscard]] std::size_t n_packed() const {
      return std::max(BlockedProduct::n_packed_b(rows, columns),
                      BlockedProduct::n_packed_b(columns, rows));
    }
  };
  Weights (*packed)(const ConvolutionShape& shape);  // that are packed in bf16

  static Weights none(const ConvolutionShape&) { return {0, 0, 0}; }
};

/// That of a convolution's products: oneDNN's of AMX are not used for them.
inline Precision precision_of_products(NumericsLevel level, Precision precision) {
  return has_steps(level, precision) ? precision : Precision::kF32;
}

/// Bytes of workspace of such a convolution at a level: its own, those of products in blocks and,
/// in bf16, those of packed weights.
inline std::size_t chunked_workspace_bytes(const ChunkSizes& sizes, const ConvolutionShape& shape,
                                           NumericsLevel level, Precision precision) {
  precision = precision_of_products(level, precision);
  const std::size_t own = sizes.bytes(shape, precision);
  if (!has_steps(level, precision)) return own;
  const ChunkSizes::Weights packed =
      precision == Precision::kBf16 ? sizes.packed(shape) : ChunkSizes::none(shape);
  return (padded<float>(own / sizeof(float)) + BlockedProduct::kMostWorkspace +
          packed.n_matrices * packed.n_packed()) *
         sizeof(float);
}

/// The same as the workspace of an algorithm's kernels is asked for.
template <const ChunkSizes& sizes>
std::size_t workspace_bytes_of(const ConvolutionShape& shape, const Engine& engine) {
  return chunked_workspace_bytes(sizes, shape, engine.level, engine.precision);
}

/// A convolution as matrix products on one chunk of images after the other, each with the same
/// kernels.
class ChunkedConvolution : public NodeKernel {
 public:
  [[nodiscard]] std::size_t n_workspace() const override { return n_workspace_; }
  void use_workspace(float* workspace) override { workspace_ = workspace; }

 protected:
  ChunkedConvolution(const Graph& graph, ValueId value, Precision precision,
                     const ChunkSizes& sizes)
      : NodeKernel(graph, value),
        shape_(convolution_shape(graph, value)),
        chunk_(sizes.images(shape_)),
        n_rows_(chunk_ * shape_.n_positions()),
        n_outputs_(shape_.y[3]),
        precision_(precision_of_products(onednn_level(), precision)),
        n_own_(padded<float>(sizes.bytes(shape_, precision_) / sizeof(float))),
        n_packed_(sizes.packed(shape_).n_packed()),
        are_weights_large_(sizes.packed(shape_).n_matrices * n_packed_ > kMostInCache),
        n_workspace_(chunked_workspace_bytes(sizes, shape_, onednn_level(), precision_) /
                     sizeof(float)) {}

  [[nodiscard]] float* workspace() const { return workspace_; }
  [[nodiscard]] std::size_t n_chunks() const { return shape_.x[0] / chunk_; }
  [[nodiscard]] std::size_t x_size() const {
    return chunk_ * shape_.x[1] * shape_.x[2] * shape_.x[3];
  }
  [[nodiscard]] std::size_t y_size() const { return chunk_ * shape_.n_positions() * shape_.y[3]; }

  /// True where products round their factors to bf16.
  [[nodiscard]] bool rounds_factors() const { return precision_ == Precision::kBf16; }
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
    product.run(a, b, bias, c, workspace_ + n_own_);
  }
  /// Matrix i of weights as its product with every chunk takes it. Where that takes it packed,
  /// these n rows from `first` on are packed into it, one part after the other; elsewhere they are
  /// all of it and stay what they are.
  [[nodiscard]] const float* packed(const MatrixProduct& product, const float* rows,
                                    std::size_t first, std::size_t n, std::size_t i = 0) const {
    if (!product.is_b_packed()) return rows;
    float* const all = workspace_ + n_own_ + BlockedProduct::kMostWorkspace;
    float* const matrix = all + i * n_packed_;
    product.pack_b(rows, first, n, matrix, are_weights_large_);
    return matrix;
  }

  ConvolutionShape shape_;
  std::size_t chunk_;   // images
  std::size_t n_rows_;  // positions of a chunk
  std::size_t n_outputs_;

 private:
  // Floats of all packed weights that may still be in the second cache when they are read; more of
  // them are stored past the caches.
  static constexpr std::size_t kMostInCache = std::size_t{1} << 19;

  Precision precision_;     // of products
  std::size_t n_own_;       // floats of workspace beside those of the products
  std::size_t n_packed_;    // of a matrix of weights
  bool are_weights_large_;  // more than kMostInCache when packed
  std::size_t n_workspace_;
  float* workspace_ = nullptr;
};

}  // namespace lipizz::nn
