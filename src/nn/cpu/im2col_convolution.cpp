#include "nn/cpu/im2col_convolution.hpp"

#include <vector>

#include "nn/cpu/chunked_convolution.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/im2col.hpp"

namespace lipizz::nn {
namespace {

// Windows of as many images at a time as fit here, so that they stay in the cache.
constexpr std::size_t kWindowsBytes = 2 << 20;

std::size_t chunk_of(const ConvolutionShape& shape) {
  if (shape.is_plain()) return shape.x[0];
  return images_at_a_time(shape.x[0], shape.n_positions() * shape.n_window() * sizeof(float),
                          kWindowsBytes);
}

std::size_t bytes_of(const ConvolutionShape& shape, Precision) {
  if (shape.is_plain()) return 0;
  return chunk_of(shape) * shape.n_positions() * shape.n_window() * sizeof(float);
}

ChunkSizes::Weights weights_of(const ConvolutionShape& shape) {
  return {1, shape.n_window(), shape.y[3]};
}

constexpr ChunkSizes kSizesOfPass{chunk_of, bytes_of, weights_of};
constexpr ChunkSizes kSizesOfGradient{chunk_of, bytes_of, ChunkSizes::none};

// The common part of the three products: images as the rows of their windows.
class Im2colConvolution : public ChunkedConvolution {
 protected:
  Im2colConvolution(const Graph& graph, ValueId value, Precision precision, const ChunkSizes& sizes)
      : ChunkedConvolution(graph, value, precision, sizes), n_window_(shape_.n_window()) {}

  // The columns of a chunk of images, in the precision of products' factors.
  const float* unfolded(const float* x) {
    if (shape_.is_plain()) return x;
    if (rounds_columns()) {
      im2col(shape_, x, chunk_, reinterpret_cast<Bf16*>(workspace()));
    } else {
      im2col(shape_, x, chunk_, workspace());
    }
    return workspace();
  }
  [[nodiscard]] bool rounds_columns() const { return rounds_factors() && !shape_.is_plain(); }

  std::size_t n_window_;
};

class Forward final : public Im2colConvolution {
 public:
  Forward(const Graph& graph, ValueId value, Precision precision)
      : Im2colConvolution(graph, value, precision, kSizesOfPass),
        product_(product({.rows = n_rows_,
                          .columns = n_outputs_,
                          .terms = n_window_,
                          .has_bias = node().inputs.size() == 3,
                          .activation = attributes().activation,
                          .is_b_packed = true,
                          .is_a_rounded = rounds_columns()})) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    float* y = result(values);
    const float* const weights = packed(product_, input(values, 1), 0, n_window_);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      multiply(product_, unfolded(x), weights, input(values, 2), y);
    }
  }

 private:
  MatrixProduct product_;
};

class Transposed final : public Im2colConvolution {
 public:
  Transposed(const Graph& graph, ValueId value, Precision precision)
      : Im2colConvolution(graph, value, precision, kSizesOfPass),
        product_(product({.rows = n_rows_,
                          .columns = n_window_,
                          .terms = n_outputs_,
                          .transpose_b = true,
                          .is_b_packed = true})) {}

  void run(float* const* values) override {
    const float* y = input(values, 0);
    float* x = result(values);
    const float* const weights = packed(product_, input(values, 1), 0, n_window_);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      if (shape_.is_plain()) {
        multiply(product_, y, weights, nullptr, x);
      } else {
        multiply(product_, y, weights, nullptr, workspace());
        col2im(shape_, workspace(), chunk_, x);
      }
      finish_rows(attributes().activation, input(values, 2), x, x_size(), shape_.x[3]);
    }
  }

 private:
  MatrixProduct product_;
};

class WeightGradient final : public Im2colConvolution {
 public:
  WeightGradient(const Graph& graph, ValueId value, Precision precision)
      : Im2colConvolution(graph, value, precision, kSizesOfGradient),
        products_(products({.rows = n_window_,
                            .columns = n_outputs_,
                            .terms = n_rows_,
                            .transpose_a = true,
                            .is_a_rounded = rounds_columns()})) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    const float* dy = input(values, 1);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), dy += y_size()) {
      multiply(products_[i == 0 ? 0 : 1], unfolded(x), dy, nullptr, result(values));
    }
  }

 private:
  std::vector<MatrixProduct> products_;  // the first chunk's, the others'
};

}  // namespace

constinit const ConvolutionAlgorithmKernels kIm2colConvolution =
    algorithm_kernels<Forward, Transposed, WeightGradient>(workspace_bytes_of<kSizesOfPass>,
                                                           workspace_bytes_of<kSizesOfGradient>);

}  // namespace lipizz::nn
