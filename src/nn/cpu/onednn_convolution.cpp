#include "nn/cpu/onednn_convolution.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "nn/cpu/chunked_convolution.hpp"
#include "nn/cpu/convolution.hpp"
#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/onednn_primitives.hpp"
#include "nn/cpu/pixel_products.hpp"
#include "nn/cpu/winograd.hpp"
#include "nn/cpu/winograd_products.hpp"

namespace lipizz::nn {
namespace {

// Windows of as many images at a time as fit here, so that they stay in the cache.
constexpr std::size_t kWindowsBytes = 2 << 20;

std::size_t chunk_of(const ConvolutionShape& shape) {
  if (shape.is_plain()) return shape.x[0];
  return images_at_a_time(shape.x[0], shape.n_places() * shape.n_window() * sizeof(float),
                          kWindowsBytes);
}

// What the three have in common: images as the rows of their windows.
class WindowProducts : public ChunkedConvolution {
 public:
  [[nodiscard]] std::size_t n_scratch() const override {
    return shape_.is_plain() ? 0 : chunk_ * shape_.n_places() * shape_.n_window();
  }

 protected:
  WindowProducts(const Graph& graph, ValueId value)
      : ChunkedConvolution(graph, value, chunk_of(convolution_shape(graph, value))),
        n_window_(static_cast<std::int64_t>(shape_.n_window())) {}

  // The windows of a chunk of images.
  const float* gathered(const float* x) {
    if (shape_.is_plain()) return x;
    gather_windows(shape_, x, chunk_, scratch());
    return scratch();
  }

  std::int64_t n_window_;
};

class Forward final : public WindowProducts {
 public:
  Forward(const Graph& graph, ValueId value)
      : WindowProducts(graph, value),
        product_(matrix(n_rows_, n_window_), matrix(n_window_, n_outputs_),
                 matrix(n_rows_, n_outputs_), node().inputs.size() == 3, attributes().activation) {}

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
  Transposed(const Graph& graph, ValueId value)
      : WindowProducts(graph, value),
        product_(matrix(n_rows_, n_outputs_), matrix(n_window_, n_outputs_, true),
                 matrix(n_rows_, n_window_), false, Activation::kNone) {}

  void run(float* const* values) override {
    const float* y = input(values, 0);
    float* x = result(values);
    for (std::size_t i = 0; i < n_chunks(); ++i, x += x_size(), y += y_size()) {
      if (shape_.is_plain()) {
        product_.run(y, input(values, 1), nullptr, x);
      } else {
        product_.run(y, input(values, 1), nullptr, scratch());
        scatter_windows(shape_, scratch(), chunk_, x);
      }
      finish_rows(attributes().activation, input(values, 2), x, x_size(), shape_.x[3]);
    }
  }

 private:
  Product product_;
};

class Weights final : public WindowProducts {
 public:
  Weights(const Graph& graph, ValueId value)
      : WindowProducts(graph, value),
        products_(products(matrix(n_rows_, n_window_, true), matrix(n_rows_, n_outputs_),
                           matrix(n_window_, n_outputs_))) {}

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

using Tag = dnnl::memory::format_tag;

dnnl::memory::desc described(const dnnl::memory::dims& dims, Tag tag) {
  return {dims, dnnl::memory::data_type::f32, tag};
}

// Weights between our order and oneDNN's, through a buffer where the two differ.
class Reordered {
 public:
  void set(const dnnl::memory::desc& from, const dnnl::memory::desc& to) {
    if (from == to) return;
    n_elements_ = std::max(from.get_size(), to.get_size()) / sizeof(float);
    primitive_.set(dnnl::reorder(
        {primitive_.engine(), from, primitive_.engine(), to, dnnl::primitive_attr()}));
    primitive_.add(DNNL_ARG_FROM, from);
    primitive_.add(DNNL_ARG_TO, to);
  }

  // Of the buffer.
  [[nodiscard]] std::size_t n_elements() const { return n_elements_; }

  // What is read in the place of `weights`.
  const float* taken_from(const float* weights, float* buffer) {
    if (n_elements_ == 0) return weights;
    run(weights, buffer);
    return buffer;
  }
  // What is written in the place of `weights`, before it is given to them.
  float* instead_of(float* weights, float* buffer) const {
    return n_elements_ == 0 ? weights : buffer;
  }
  void give_to(float* weights, const float* buffer) {
    if (n_elements_ > 0) run(buffer, weights);
  }

 private:
  void run(const float* from, float* to) {
    primitive_.point(DNNL_ARG_FROM, from);
    primitive_.point(DNNL_ARG_TO, to);
    primitive_.run();
  }

  std::size_t n_elements_ = 0;
  Primitive primitive_;
};

// oneDNN's own convolutions on our layouts. Weights are brought into the order that it asks for,
// and back.
class ConvolutionPrimitive : public NodeKernel {
 public:
  [[nodiscard]] std::size_t n_scratch() const override { return reordered_.n_elements(); }
  void lend(float* scratch) override { scratch_ = scratch; }

 protected:
  ConvolutionPrimitive(const Graph& graph, ValueId value, const ConvolutionShape& shape)
      : NodeKernel(graph, value),
        shape_(shape),
        x_(described({shape.x[0], shape.x[3], shape.x[1], shape.x[2]}, Tag::nhwc)),
        y_(described({shape.y[0], shape.y[3], shape.y[1], shape.y[2]}, Tag::nhwc)),
        weights_(described(weights_dims(), Tag::hwio)),
        strides_{shape.window.stride, shape.window.stride},
        padding_{shape.window.padding, shape.window.padding} {}

  [[nodiscard]] bool has_bias() const { return node().inputs.size() == 3; }
  [[nodiscard]] dnnl::memory::dims weights_dims() const {
    return {shape_.y[3], shape_.x[3], shape_.window.kernel, shape_.window.kernel};
  }
  [[nodiscard]] dnnl::memory::desc any_weights() const {
    return described(weights_dims(), Tag::any);
  }

  // The forward pass without bias or activation, which the derivatives' descriptions ask for.
  [[nodiscard]] dnnl::convolution_forward::primitive_desc plain_forward() const {
    return {dnnl::convolution_forward::desc(dnnl::prop_kind::forward,
                                            dnnl::algorithm::convolution_direct, x_, any_weights(),
                                            y_, strides_, padding_, padding_),
            primitive_.engine()};
  }

  ConvolutionShape shape_;
  dnnl::memory::desc x_, y_, weights_;
  dnnl::memory::dims strides_, padding_;
  Primitive primitive_;
  Reordered reordered_;
  float* scratch_ = nullptr;
};

class ForwardPrimitive final : public ConvolutionPrimitive {
 public:
  ForwardPrimitive(const Graph& graph, ValueId value, const ConvolutionShape& shape)
      : ConvolutionPrimitive(graph, value, shape), description_(describe()) {
    reordered_.set(weights_, description_.weights_desc());
    primitive_.set(dnnl::convolution_forward(description_));
    primitive_.add(DNNL_ARG_SRC, x_);
    primitive_.add(DNNL_ARG_WEIGHTS, description_.weights_desc());
    primitive_.add(DNNL_ARG_DST, y_);
    if (has_bias()) primitive_.add(DNNL_ARG_BIAS, described({shape_.y[3]}, Tag::x));
  }

  void run(float* const* values) override {
    primitive_.point(DNNL_ARG_SRC, input(values, 0));
    primitive_.point(DNNL_ARG_WEIGHTS, reordered_.taken_from(input(values, 1), scratch_));
    primitive_.point(DNNL_ARG_DST, result(values));
    if (has_bias()) primitive_.point(DNNL_ARG_BIAS, input(values, 2));
    primitive_.run();
  }

 private:
  [[nodiscard]] dnnl::convolution_forward::primitive_desc describe() const {
    const auto finish = attributes_of(attributes().activation);
    const auto kind = dnnl::prop_kind::forward;
    const auto algorithm = dnnl::algorithm::convolution_direct;
    if (has_bias()) {
      return {dnnl::convolution_forward::desc(kind, algorithm, x_, any_weights(),
                                              described({shape_.y[3]}, Tag::x), y_, strides_,
                                              padding_, padding_),
              finish, primitive_.engine()};
    }
    return {dnnl::convolution_forward::desc(kind, algorithm, x_, any_weights(), y_, strides_,
                                            padding_, padding_),
            finish, primitive_.engine()};
  }

  dnnl::convolution_forward::primitive_desc description_;
};

class TransposedPrimitive final : public ConvolutionPrimitive {
 public:
  TransposedPrimitive(const Graph& graph, ValueId value, const ConvolutionShape& shape)
      : ConvolutionPrimitive(graph, value, shape), description_(describe()) {
    reordered_.set(weights_, description_.weights_desc());
    primitive_.set(dnnl::convolution_backward_data(description_));
    primitive_.add(DNNL_ARG_DIFF_DST, y_);
    primitive_.add(DNNL_ARG_WEIGHTS, description_.weights_desc());
    primitive_.add(DNNL_ARG_DIFF_SRC, x_);
  }

  void run(float* const* values) override {
    float* x = result(values);
    primitive_.point(DNNL_ARG_DIFF_DST, input(values, 0));
    primitive_.point(DNNL_ARG_WEIGHTS, reordered_.taken_from(input(values, 1), scratch_));
    primitive_.point(DNNL_ARG_DIFF_SRC, x);
    primitive_.run();
    finish_rows(attributes().activation, input(values, 2), x, n_elements(shape_.x), shape_.x[3]);
  }

 private:
  [[nodiscard]] dnnl::convolution_backward_data::primitive_desc describe() const {
    return {dnnl::convolution_backward_data::desc(dnnl::algorithm::convolution_direct, x_,
                                                  any_weights(), y_, strides_, padding_, padding_),
            primitive_.engine(), plain_forward()};
  }

  dnnl::convolution_backward_data::primitive_desc description_;
};

class WeightsPrimitive final : public ConvolutionPrimitive {
 public:
  WeightsPrimitive(const Graph& graph, ValueId value, const ConvolutionShape& shape)
      : ConvolutionPrimitive(graph, value, shape), description_(describe()) {
    reordered_.set(description_.diff_weights_desc(), weights_);
    primitive_.set(dnnl::convolution_backward_weights(description_));
    primitive_.add(DNNL_ARG_SRC, x_);
    primitive_.add(DNNL_ARG_DIFF_DST, y_);
    primitive_.add(DNNL_ARG_DIFF_WEIGHTS, description_.diff_weights_desc());
  }

  void run(float* const* values) override {
    primitive_.point(DNNL_ARG_SRC, input(values, 0));
    primitive_.point(DNNL_ARG_DIFF_DST, input(values, 1));
    primitive_.point(DNNL_ARG_DIFF_WEIGHTS, reordered_.instead_of(result(values), scratch_));
    primitive_.run();
    reordered_.give_to(result(values), scratch_);
  }

 private:
  [[nodiscard]] dnnl::convolution_backward_weights::primitive_desc describe() const {
    return {
        dnnl::convolution_backward_weights::desc(dnnl::algorithm::convolution_direct, x_,
                                                 any_weights(), y_, strides_, padding_, padding_),
        primitive_.engine(), plain_forward()};
  }

  dnnl::convolution_backward_weights::primitive_desc description_;
};

// Where Winograd's filtering does not fit, windows do.
ConvolutionWay way_of(const Graph& graph, ValueId value) {
  const Attributes& attributes = graph.node(value).attributes;
  const bool is_winograd = attributes.way == ConvolutionWay::kWinograd;
  return is_winograd && !Winograd::fits(attributes.window) ? ConvolutionWay::kWindows
                                                           : attributes.way;
}

template <class Windows, class Primitives, auto make_by_pixels, auto make_by_winograd>
std::unique_ptr<Kernel<float>> make(const Graph& graph, ValueId value) {
  switch (way_of(graph, value)) {
    case ConvolutionWay::kWindows:
      return std::make_unique<Windows>(graph, value);
    case ConvolutionWay::kWinograd:
      return make_by_winograd(graph, value);
    case ConvolutionWay::kPixels:
      return make_by_pixels(graph, value);
    case ConvolutionWay::kPrimitive:
      return std::make_unique<Primitives>(graph, value, convolution_shape(graph, value));
    case ConvolutionWay::kChosen:
      break;
  }
  throw InternalError("a convolution whose way was not chosen");
}

}  // namespace

std::unique_ptr<Kernel<float>> make_convolution(const Graph& graph, ValueId value) {
  return make<Forward, ForwardPrimitive, make_forward_by_pixels, make_forward_by_winograd>(graph,
                                                                                           value);
}

std::unique_ptr<Kernel<float>> make_transposed_convolution(const Graph& graph, ValueId value) {
  return make<Transposed, TransposedPrimitive, make_transposed_by_pixels,
              make_transposed_by_winograd>(graph, value);
}

std::unique_ptr<Kernel<float>> make_convolution_weights(const Graph& graph, ValueId value) {
  return make<Weights, WeightsPrimitive, make_weights_by_pixels, make_weights_by_winograd>(graph,
                                                                                           value);
}

std::size_t convolution_room(const Graph& graph, ValueId value) {
  const ConvolutionShape shape = convolution_shape(graph, value);
  const ConvolutionWay way = way_of(graph, value);
  if (way == ConvolutionWay::kPixels) return pixel_products_room(shape);
  if (way == ConvolutionWay::kWinograd) return winograd_products_room(shape);
  if (way == ConvolutionWay::kPrimitive) return shape.n_window() * shape.y[3] * sizeof(float);
  if (shape.is_plain()) return 0;
  return chunk_of(shape) * shape.n_places() * shape.n_window() * sizeof(float);
}

}  // namespace lipizz::nn
