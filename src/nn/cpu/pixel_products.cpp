#include "nn/cpu/pixel_products.hpp"

#include <algorithm>
#include <vector>

#include "nn/cpu/chunked_convolution.hpp"
#include "nn/cpu/convolution.hpp"
#include "nn/cpu/elementwise.hpp"

namespace lipizz::nn {
namespace {

// Pixels of as many images at a time as fit here, so that they stay in the cache.
constexpr std::size_t kPixelBytes = 1 << 20;

std::size_t chunk_of(const ConvolutionShape& shape) {
  return images_at_a_time(shape.x[0], shape.n_places() * shape.x[3] * sizeof(float), kPixelBytes);
}

std::size_t room_of(const ConvolutionShape& shape) {
  return chunk_of(shape) * shape.n_places() * shape.x[3] * sizeof(float);
}

// What the three have in common: a window taken apart into its pixels.
class PixelProducts : public ChunkedConvolution {
 protected:
  PixelProducts(const Graph& graph, ValueId value)
      : ChunkedConvolution(graph, value, chunk_of, room_of), n_channels_(shape_.x[3]) {}

  [[nodiscard]] std::uint32_t n_pixels() const {
    return shape_.window.kernel * shape_.window.kernel;
  }
  [[nodiscard]] std::size_t weights_of(std::uint32_t pixel) const {
    return std::size_t{pixel} * shape_.x[3] * shape_.y[3];
  }

  std::int64_t n_channels_;
};

class Forward final : public PixelProducts {
 public:
  Forward(const Graph& graph, ValueId value)
      : PixelProducts(graph, value),
        products_(products(matrix(n_rows_, n_channels_), matrix(n_channels_, n_outputs_),
                           matrix(n_rows_, n_outputs_))) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    float* y = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      for (std::uint32_t pixel = 0; pixel < n_pixels(); ++pixel) {
        gather_pixels(shape_, x, chunk_, pixel, scratch());
        products_[pixel == 0 ? 0 : 1].run(scratch(), input(values, 1) + weights_of(pixel), nullptr,
                                          y);
      }
      finish_rows(attributes().activation, input(values, 2), y, y_size(), shape_.y[3]);
    }
  }

 private:
  std::vector<Product> products_;
};

class Transposed final : public PixelProducts {
 public:
  Transposed(const Graph& graph, ValueId value)
      : PixelProducts(graph, value),
        product_(matrix(n_rows_, n_outputs_), matrix(n_channels_, n_outputs_, true),
                 matrix(n_rows_, n_channels_), false, Activation::kNone) {}

  void run(float* const* values) override {
    const float* y = input(values, 0);
    float* x = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      std::fill_n(x, x_size(), 0.0f);
      for (std::uint32_t pixel = 0; pixel < n_pixels(); ++pixel) {
        product_.run(y, input(values, 1) + weights_of(pixel), nullptr, scratch());
        scatter_pixels(shape_, scratch(), chunk_, pixel, x);
      }
      finish_rows(attributes().activation, input(values, 2), x, x_size(), shape_.x[3]);
    }
  }

 private:
  Product product_;
};

class Weights final : public PixelProducts {
 public:
  Weights(const Graph& graph, ValueId value)
      : PixelProducts(graph, value),
        products_(products(matrix(n_rows_, n_channels_, true), matrix(n_rows_, n_outputs_),
                           matrix(n_channels_, n_outputs_))) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    const float* dy = input(values, 1);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), dy += y_size()) {
      for (std::uint32_t pixel = 0; pixel < n_pixels(); ++pixel) {
        gather_pixels(shape_, x, chunk_, pixel, scratch());
        products_[i == 0 ? 0 : 1].run(scratch(), dy, nullptr, result(values) + weights_of(pixel));
      }
    }
  }

 private:
  std::vector<Product> products_;
};

}  // namespace

constinit const ConvolutionKernels kPixelProducts =
    convolution_kernels<Forward, Transposed, Weights>(room_of);

}  // namespace lipizz::nn
