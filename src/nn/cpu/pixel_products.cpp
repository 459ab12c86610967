#include "nn/cpu/pixel_products.hpp"

#include <algorithm>
#include <vector>

#include "nn/cpu/convolution.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/node_kernel.hpp"
#include "nn/cpu/onednn_primitives.hpp"

namespace lipizz::nn {
namespace {

// Pixels of as many images at a time as fit here, so that they stay in the cache.
constexpr std::size_t kPixelBytes = 1 << 20;

// The most images that divide the batch and whose pixels fit.
std::size_t images_at_a_time(const ConvolutionShape& shape) {
  const std::size_t n_images = shape.x[0];
  const std::size_t bytes = shape.n_places() * shape.x[3] * sizeof(float);
  std::size_t n = std::clamp<std::size_t>(kPixelBytes / bytes, 1, n_images);
  while (n_images % n != 0) --n;
  return n;
}

// What the three have in common: a batch cut into chunks of images, and a window into its pixels.
class PixelProducts : public NodeKernel {
 protected:
  PixelProducts(const Graph& graph, ValueId value)
      : NodeKernel(graph, value),
        shape_(convolution_shape(graph, value)),
        chunk_(images_at_a_time(shape_)),
        n_rows_(static_cast<std::int64_t>(chunk_ * shape_.n_places())),
        n_channels_(shape_.x[3]),
        n_outputs_(shape_.y[3]),
        pixels_(chunk_ * shape_.n_places() * shape_.x[3]) {}

  [[nodiscard]] std::size_t n_chunks() const { return shape_.x[0] / chunk_; }
  [[nodiscard]] std::size_t x_size() const {
    return chunk_ * shape_.x[1] * shape_.x[2] * shape_.x[3];
  }
  [[nodiscard]] std::size_t y_size() const { return chunk_ * shape_.n_places() * shape_.y[3]; }
  [[nodiscard]] std::uint32_t n_pixels() const {
    return shape_.window.kernel * shape_.window.kernel;
  }
  [[nodiscard]] std::size_t weights_of(std::uint32_t pixel) const {
    return std::size_t{pixel} * shape_.x[3] * shape_.y[3];
  }

  // One that overwrites its result, and one that adds to it.
  static std::vector<Product> products(const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                                       const dnnl::memory::desc& c) {
    std::vector<Product> both;
    for (const bool adds : {false, true}) {
      both.emplace_back(a, b, c, false, Activation::kNone, adds);
    }
    return both;
  }

  ConvolutionShape shape_;
  std::size_t chunk_;  // images
  std::int64_t n_rows_, n_channels_, n_outputs_;
  Buffer<float> pixels_;
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
        gather_pixels(shape_, x, chunk_, pixel, pixels_.data());
        products_[pixel == 0 ? 0 : 1].run(pixels_.data(), input(values, 1) + weights_of(pixel),
                                          nullptr, y);
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
        product_.run(y, input(values, 1) + weights_of(pixel), nullptr, pixels_.data());
        scatter_pixels(shape_, pixels_.data(), chunk_, pixel, x);
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
        gather_pixels(shape_, x, chunk_, pixel, pixels_.data());
        products_[i == 0 ? 0 : 1].run(pixels_.data(), dy, nullptr,
                                      result(values) + weights_of(pixel));
      }
    }
  }

 private:
  std::vector<Product> products_;
};

}  // namespace

std::unique_ptr<Kernel<float>> make_forward_by_pixels(const Graph& graph, ValueId value) {
  return std::make_unique<Forward>(graph, value);
}

std::unique_ptr<Kernel<float>> make_transposed_by_pixels(const Graph& graph, ValueId value) {
  return std::make_unique<Transposed>(graph, value);
}

std::unique_ptr<Kernel<float>> make_weights_by_pixels(const Graph& graph, ValueId value) {
  return std::make_unique<Weights>(graph, value);
}

std::size_t pixel_products_room(const ConvolutionShape& shape) {
  return images_at_a_time(shape) * shape.n_places() * shape.x[3] * sizeof(float);
}

}  // namespace lipizz::nn
