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

std::size_t workspace_bytes_of(const ConvolutionShape& shape) {
  if (shape.is_plain()) return 0;
  return chunk_of(shape) * shape.n_positions() * shape.n_window() * sizeof(float);
}

// The common part of the three products: images as the rows of their windows.
class Im2colConvolution : public ChunkedConvolution {
 protected:
  Im2colConvolution(const Graph& graph, ValueId value)
      : ChunkedConvolution(graph, value, chunk_of, workspace_bytes_of),
        n_window_(static_cast<std::int64_t>(shape_.n_window())) {}

  // The columns of a chunk of images.
  const float* unfolded(const float* x) {
    if (shape_.is_plain()) return x;
    im2col(shape_, x, chunk_, workspace());
    return workspace();
  }

  std::int64_t n_window_;
};

class Forward final : public Im2colConvolution {
 public:
  Forward(const Graph& graph, ValueId value)
      : Im2colConvolution(graph, value),
        product_(matrix(n_rows_, n_window_), matrix(n_window_, n_outputs_),
                 matrix(n_rows_, n_outputs_), node().inputs.size() == 3, attributes().activation) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    float* y = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      product_.run(unfolded(x), input(values, 1), input(values, 2), y);
    }
  }

 private:
  Product product_;
};

class Transposed final : public Im2colConvolution {
 public:
  Transposed(const Graph& graph, ValueId value)
      : Im2colConvolution(graph, value),
        product_(matrix(n_rows_, n_outputs_), matrix(n_window_, n_outputs_, true),
                 matrix(n_rows_, n_window_), false, Activation::kNone) {}

  void run(float* const* values) override {
    const float* y = input(values, 0);
    float* x = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      if (shape_.is_plain()) {
        product_.run(y, input(values, 1), nullptr, x);
      } else {
        product_.run(y, input(values, 1), nullptr, workspace());
        col2im(shape_, workspace(), chunk_, x);
      }
      finish_rows(attributes().activation, input(values, 2), x, x_size(), shape_.x[3]);
    }
  }

 private:
  Product product_;
};

class WeightGradient final : public Im2colConvolution {
 public:
  WeightGradient(const Graph& graph, ValueId value)
      : Im2colConvolution(graph, value),
        products_(products(matrix(n_rows_, n_window_, true), matrix(n_rows_, n_outputs_),
                           matrix(n_window_, n_outputs_))) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    const float* dy = input(values, 1);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), dy += y_size()) {
      products_[i == 0 ? 0 : 1].run(unfolded(x), dy, nullptr, result(values));
    }
  }

 private:
  std::vector<Product> products_;  // the first chunk's, the others'
};

}  // namespace

constinit const ConvolutionAlgorithmKernels kIm2colConvolution =
    algorithm_kernels<Forward, Transposed, WeightGradient>(workspace_bytes_of);

}  // namespace lipizz::nn
