#include "nn/cpu/onednn_convolution.hpp"

#include <algorithm>
#include <optional>

#include "nn/cpu/convolution.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/onednn_primitives.hpp"

namespace lipizz::nn {
namespace {

// Windows of as many images at a time as fit here, so that they stay in the cache.
constexpr std::size_t kWindowsBytes = 2 << 20;

// The most images that divide the batch and whose windows fit.
std::size_t images_at_a_time(const ConvolutionShape& shape) {
  const std::size_t n_images = shape.x[0];
  if (shape.is_plain()) return n_images;
  const std::size_t bytes = shape.n_places() * shape.n_window() * sizeof(float);
  std::size_t n = std::clamp<std::size_t>(kWindowsBytes / bytes, 1, n_images);
  while (n_images % n != 0) --n;
  return n;
}

// What the three have in common: a batch cut into chunks of images.
class WindowProducts : public Kernel<float> {
 protected:
  WindowProducts(const Node& node, ValueId value, ConvolutionShape shape)
      : node_(node),
        result_(value.index),
        shape_(std::move(shape)),
        chunk_(images_at_a_time(shape_)),
        n_rows_(static_cast<std::int64_t>(chunk_ * shape_.n_places())),
        n_window_(static_cast<std::int64_t>(shape_.n_window())),
        n_outputs_(shape_.y[3]) {
    if (!shape_.is_plain()) windows_.resize(chunk_ * shape_.n_places() * shape_.n_window());
  }

  [[nodiscard]] float* input(float* const* values, std::size_t i) const {
    return i < node_.inputs.size() ? values[node_.inputs[i].index] : nullptr;
  }
  [[nodiscard]] float* result(float* const* values) const { return values[result_]; }
  [[nodiscard]] std::size_t n_chunks() const { return shape_.x[0] / chunk_; }
  [[nodiscard]] std::size_t x_size() const {
    return chunk_ * shape_.x[1] * shape_.x[2] * shape_.x[3];
  }
  [[nodiscard]] std::size_t y_size() const { return chunk_ * shape_.n_places() * shape_.y[3]; }

  // The windows of a chunk of images.
  const float* gathered(const float* x) {
    if (shape_.is_plain()) return x;
    gather_windows(shape_, x, chunk_, windows_.data());
    return windows_.data();
  }

  Node node_;
  std::uint32_t result_;
  ConvolutionShape shape_;
  std::size_t chunk_;  // images
  std::int64_t n_rows_, n_window_, n_outputs_;
  Buffer<float> windows_;
};

class Forward final : public WindowProducts {
 public:
  Forward(const Graph& graph, ValueId value, const ConvolutionShape& shape)
      : WindowProducts(graph.node(value), value, shape),
        product_(matrix(n_rows_, n_window_), matrix(n_window_, n_outputs_),
                 matrix(n_rows_, n_outputs_), node_.inputs.size() == 3,
                 node_.attributes.activation) {}

  void run(float* const* values) override {
    const float* x = input(values, 0);
    float* y = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      product_.run(gathered(x), input(values, 1), input(values, 2), y);
    }
  }

 private:
  Product product_;
};

class Transposed final : public WindowProducts {
 public:
  Transposed(const Graph& graph, ValueId value, const ConvolutionShape& shape)
      : WindowProducts(graph.node(value), value, shape),
        product_(matrix(n_rows_, n_outputs_), matrix(n_window_, n_outputs_, true),
                 matrix(n_rows_, n_window_), false, Activation::kNone) {}

  void run(float* const* values) override {
    const float* y = input(values, 0);
    float* x = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      if (shape_.is_plain()) {
        product_.run(y, input(values, 1), nullptr, x);
      } else {
        product_.run(y, input(values, 1), nullptr, windows_.data());
        scatter_windows(shape_, windows_.data(), chunk_, x);
      }
      finish(values, x);
    }
  }

 private:
  void finish(float* const* values, float* x) const {
    if (const float* bias = input(values, 2)) {
      add_rows(bias, x, x_size() / shape_.x[3], shape_.x[3]);
    }
    if (node_.attributes.activation != Activation::kNone) {
      activation(node_.attributes.activation, x, x, x_size());
    }
  }

  Product product_;
};

class Weights final : public WindowProducts {
 public:
  Weights(const Graph& graph, ValueId value, const ConvolutionShape& shape)
      : WindowProducts(graph.node(value), value, shape) {
    for (const bool adds : {false, true}) {
      products_.emplace_back(matrix(n_rows_, n_window_, true), matrix(n_rows_, n_outputs_),
                             matrix(n_window_, n_outputs_), false, Activation::kNone, adds);
    }
  }

  void run(float* const* values) override {
    const float* x = input(values, 0);
    const float* dy = input(values, 1);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), dy += y_size()) {
      products_[i == 0 ? 0 : 1].run(gathered(x), dy, nullptr, result(values));
    }
  }

 private:
  std::vector<Product> products_;  // the first chunk's, the others'
};

}  // namespace

std::unique_ptr<Kernel<float>> make_convolution(const Graph& graph, ValueId value) {
  const Node& node = graph.node(value);
  return std::make_unique<Forward>(
      graph, value,
      ConvolutionShape{graph.shape(node.inputs[0]), node.shape, node.attributes.window});
}

std::unique_ptr<Kernel<float>> make_transposed_convolution(const Graph& graph, ValueId value) {
  const Node& node = graph.node(value);
  return std::make_unique<Transposed>(
      graph, value,
      ConvolutionShape{node.shape, graph.shape(node.inputs[0]), node.attributes.window});
}

std::unique_ptr<Kernel<float>> make_convolution_weights(const Graph& graph, ValueId value) {
  const Node& node = graph.node(value);
  return std::make_unique<Weights>(
      graph, value,
      ConvolutionShape{graph.shape(node.inputs[0]), graph.shape(node.inputs[1]),
                       node.attributes.window});
}

}  // namespace lipizz::nn
