#include "nn/cpu/kn2row_convolution.hpp"

#include <algorithm>
#include <vector>

#include "nn/cpu/chunked_convolution.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/im2col.hpp"

namespace lipizz::nn {
namespace {

// The pixels under a tap of as many images at a time as fit here, so that they stay in
// the cache.
constexpr std::size_t kTapBytes = 1 << 20;

std::size_t chunk_of(const ConvolutionShape& shape) {
  return images_at_a_time(shape.x[0], shape.n_positions() * shape.x[3] * sizeof(float), kTapBytes);
}

std::size_t bytes_of(const ConvolutionShape& shape, Precision) {
  return chunk_of(shape) * shape.n_positions() * shape.x[3] * sizeof(float);
}

// Each tap's weights meet one large chunk or a few, so that packing them before is not worth its
// memory.
constexpr ChunkSizes kSizes{chunk_of, bytes_of, ChunkSizes::none};

// The common part of the three products: a kernel taken apart into its taps.
class Kn2rowConvolution : public ChunkedConvolution {
 protected:
  Kn2rowConvolution(const Graph& graph, ValueId value, Precision precision)
      : ChunkedConvolution(graph, value, precision, kSizes), n_channels_(shape_.x[3]) {}

  [[nodiscard]] std::uint32_t n_taps() const { return shape_.window.kernel * shape_.window.kernel; }
  [[nodiscard]] std::size_t weights_of(std::uint32_t tap) const {
    return std::size_t{tap} * shape_.x[3] * shape_.y[3];
  }

  std::size_t n_channels_;
};

class Forward final : public Kn2rowConvolution {
 public:
  Forward(const Graph& graph, ValueId value, Precision precision)
      : Kn2rowConvolution(graph, value, precision),
        products_(products({.rows = n_rows_, .columns = n_outputs_, .terms = n_channels_})) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    float* y = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      for (std::uint32_t tap = 0; tap < n_taps(); ++tap) {
        gather_tap(shape_, x, chunk_, tap, workspace());
        multiply(products_[tap == 0 ? 0 : 1], workspace(), input(values, 1) + weights_of(tap),
                 nullptr, y);
      }
      finish_rows(attributes().activation, input(values, 2), y, y_size(), shape_.y[3]);
    }
  }

 private:
  std::vector<MatrixProduct> products_;
};

class Transposed final : public Kn2rowConvolution {
 public:
  Transposed(const Graph& graph, ValueId value, Precision precision)
      : Kn2rowConvolution(graph, value, precision),
        product_(product(
            {.rows = n_rows_, .columns = n_channels_, .terms = n_outputs_, .transpose_b = true})) {}

  void run(float* const* values) override {
    const float* y = input(values, 0);
    float* x = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      std::fill_n(x, x_size(), 0.0f);
      for (std::uint32_t tap = 0; tap < n_taps(); ++tap) {
        multiply(product_, y, input(values, 1) + weights_of(tap), nullptr, workspace());
        scatter_tap(shape_, workspace(), chunk_, tap, x);
      }
      finish_rows(attributes().activation, input(values, 2), x, x_size(), shape_.x[3]);
    }
  }

 private:
  MatrixProduct product_;
};

class WeightGradient final : public Kn2rowConvolution {
 public:
  WeightGradient(const Graph& graph, ValueId value, Precision precision)
      : Kn2rowConvolution(graph, value, precision),
        products_(products(
            {.rows = n_channels_, .columns = n_outputs_, .terms = n_rows_, .transpose_a = true})) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    const float* dy = input(values, 1);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), dy += y_size()) {
      for (std::uint32_t tap = 0; tap < n_taps(); ++tap) {
        gather_tap(shape_, x, chunk_, tap, workspace());
        multiply(products_[i == 0 ? 0 : 1], workspace(), dy, nullptr,
                 result(values) + weights_of(tap));
      }
    }
  }

 private:
  std::vector<MatrixProduct> products_;
};

}  // namespace

constinit const ConvolutionAlgorithmKernels kKn2rowConvolution =
    algorithm_kernels<Forward, Transposed, WeightGradient>(workspace_bytes_of<kSizes>);

}  // namespace lipizz::nn
