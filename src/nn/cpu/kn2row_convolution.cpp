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

std::size_t workspace_bytes_of(const ConvolutionShape& shape) {
  return chunk_of(shape) * shape.n_positions() * shape.x[3] * sizeof(float);
}

// The common part of the three products: a kernel taken apart into its taps.
class Kn2rowConvolution : public ChunkedConvolution {
 protected:
  Kn2rowConvolution(const Graph& graph, ValueId value)
      : ChunkedConvolution(graph, value, chunk_of, workspace_bytes_of), n_channels_(shape_.x[3]) {}

  [[nodiscard]] std::uint32_t n_taps() const { return shape_.window.kernel * shape_.window.kernel; }
  [[nodiscard]] std::size_t weights_of(std::uint32_t tap) const {
    return std::size_t{tap} * shape_.x[3] * shape_.y[3];
  }

  std::int64_t n_channels_;
};

class Forward final : public Kn2rowConvolution {
 public:
  Forward(const Graph& graph, ValueId value)
      : Kn2rowConvolution(graph, value),
        products_(products(matrix(n_rows_, n_channels_), matrix(n_channels_, n_outputs_),
                           matrix(n_rows_, n_outputs_))) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    float* y = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      for (std::uint32_t tap = 0; tap < n_taps(); ++tap) {
        gather_tap(shape_, x, chunk_, tap, workspace());
        products_[tap == 0 ? 0 : 1].run(workspace(), input(values, 1) + weights_of(tap), nullptr,
                                        y);
      }
      finish_rows(attributes().activation, input(values, 2), y, y_size(), shape_.y[3]);
    }
  }

 private:
  std::vector<Product> products_;
};

class Transposed final : public Kn2rowConvolution {
 public:
  Transposed(const Graph& graph, ValueId value)
      : Kn2rowConvolution(graph, value),
        product_(matrix(n_rows_, n_outputs_), matrix(n_channels_, n_outputs_, true),
                 matrix(n_rows_, n_channels_), false, Activation::kNone) {}

  void run(float* const* values) override {
    const float* y = input(values, 0);
    float* x = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      std::fill_n(x, x_size(), 0.0f);
      for (std::uint32_t tap = 0; tap < n_taps(); ++tap) {
        product_.run(y, input(values, 1) + weights_of(tap), nullptr, workspace());
        scatter_tap(shape_, workspace(), chunk_, tap, x);
      }
      finish_rows(attributes().activation, input(values, 2), x, x_size(), shape_.x[3]);
    }
  }

 private:
  Product product_;
};

class WeightGradient final : public Kn2rowConvolution {
 public:
  WeightGradient(const Graph& graph, ValueId value)
      : Kn2rowConvolution(graph, value),
        products_(products(matrix(n_rows_, n_channels_, true), matrix(n_rows_, n_outputs_),
                           matrix(n_channels_, n_outputs_))) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    const float* dy = input(values, 1);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), dy += y_size()) {
      for (std::uint32_t tap = 0; tap < n_taps(); ++tap) {
        gather_tap(shape_, x, chunk_, tap, workspace());
        products_[i == 0 ? 0 : 1].run(workspace(), dy, nullptr, result(values) + weights_of(tap));
      }
    }
  }

 private:
  std::vector<Product> products_;
};

}  // namespace

constinit const ConvolutionAlgorithmKernels kKn2rowConvolution =
    algorithm_kernels<Forward, Transposed, WeightGradient>(workspace_bytes_of);

}  // namespace lipizz::nn
