#include "nn/cpu/onednn_convolution_primitives.hpp"

#include <algorithm>

#include "nn/cpu/elementwise.hpp"
#include "nn/cpu/node_kernel.hpp"
#include "nn/cpu/onednn_primitives.hpp"

namespace lipizz::nn {
namespace {

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

  // The buffer's size.
  [[nodiscard]] std::size_t n_elements() const { return n_elements_; }

  // Gives the memory to be read in place of `weights`.
  const float* taken_from(const float* weights, float* buffer) {
    if (n_elements_ == 0) return weights;
    run(weights, buffer);
    return buffer;
  }
  // Gives the memory to be written in place of `weights`, before give_to().
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
  [[nodiscard]] std::size_t n_workspace() const override { return reordered_.n_elements(); }
  void use_workspace(float* workspace) override { workspace_ = workspace; }

 protected:
  ConvolutionPrimitive(const Graph& graph, ValueId value)
      : NodeKernel(graph, value),
        shape_(convolution_shape(graph, value)),
        x_(described({shape_.x[0], shape_.x[3], shape_.x[1], shape_.x[2]}, Tag::nhwc)),
        y_(described({shape_.y[0], shape_.y[3], shape_.y[1], shape_.y[2]}, Tag::nhwc)),
        weights_(weights_dims(), dnnl::memory::data_type::f32, weights_strides()),
        strides_{shape_.window.stride, shape_.window.stride},
        padding_{shape_.window.padding, shape_.window.padding} {}

  [[nodiscard]] bool has_bias() const { return node().inputs.size() == 3; }
  // [groups, outputs, inputs, k, k], without the first where there is one group.
  [[nodiscard]] dnnl::memory::dims weights_dims() const {
    const std::uint32_t groups = shape_.window.groups;
    dnnl::memory::dims dims{shape_.y[3] / groups, shape_.x[3] / groups, shape_.window.kernel,
                            shape_.window.kernel};
    if (groups > 1) dims.insert(dims.begin(), groups);
    return dims;
  }
  // Those of our order, [k, k, inputs, groups and outputs].
  [[nodiscard]] dnnl::memory::dims weights_strides() const {
    const std::uint32_t groups = shape_.window.groups;
    const std::int64_t input = shape_.y[3];
    const std::int64_t tap = input * (shape_.x[3] / groups);
    dnnl::memory::dims strides{1, input, tap * shape_.window.kernel, tap};
    if (groups > 1) strides.insert(strides.begin(), shape_.y[3] / groups);
    return strides;
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
  float* workspace_ = nullptr;
};

class ForwardPrimitive final : public ConvolutionPrimitive {
 public:
  ForwardPrimitive(const Graph& graph, ValueId value)
      : ConvolutionPrimitive(graph, value), description_(describe()) {
    reordered_.set(weights_, description_.weights_desc());
    primitive_.set(dnnl::convolution_forward(description_));
    primitive_.add(DNNL_ARG_SRC, x_);
    primitive_.add(DNNL_ARG_WEIGHTS, description_.weights_desc());
    primitive_.add(DNNL_ARG_DST, y_);
    if (has_bias()) primitive_.add(DNNL_ARG_BIAS, described({shape_.y[3]}, Tag::x));
  }

  void run(float* const* values) override {
    primitive_.point(DNNL_ARG_SRC, input(values, 0));
    primitive_.point(DNNL_ARG_WEIGHTS, reordered_.taken_from(input(values, 1), workspace_));
    primitive_.point(DNNL_ARG_DST, result(values));
    if (has_bias()) primitive_.point(DNNL_ARG_BIAS, input(values, 2));
    primitive_.run();
    finish_curve(attributes().activation, result(values), n_elements(shape_.y));
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
  TransposedPrimitive(const Graph& graph, ValueId value)
      : ConvolutionPrimitive(graph, value), description_(describe()) {
    reordered_.set(weights_, description_.weights_desc());
    primitive_.set(dnnl::convolution_backward_data(description_));
    primitive_.add(DNNL_ARG_DIFF_DST, y_);
    primitive_.add(DNNL_ARG_WEIGHTS, description_.weights_desc());
    primitive_.add(DNNL_ARG_DIFF_SRC, x_);
  }

  void run(float* const* values) override {
    float* x = result(values);
    primitive_.point(DNNL_ARG_DIFF_DST, input(values, 0));
    primitive_.point(DNNL_ARG_WEIGHTS, reordered_.taken_from(input(values, 1), workspace_));
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

class WeightGradientPrimitive final : public ConvolutionPrimitive {
 public:
  WeightGradientPrimitive(const Graph& graph, ValueId value)
      : ConvolutionPrimitive(graph, value), description_(describe()) {
    reordered_.set(description_.diff_weights_desc(), weights_);
    primitive_.set(dnnl::convolution_backward_weights(description_));
    primitive_.add(DNNL_ARG_SRC, x_);
    primitive_.add(DNNL_ARG_DIFF_DST, y_);
    primitive_.add(DNNL_ARG_DIFF_WEIGHTS, description_.diff_weights_desc());
  }

  void run(float* const* values) override {
    primitive_.point(DNNL_ARG_SRC, input(values, 0));
    primitive_.point(DNNL_ARG_DIFF_DST, input(values, 1));
    primitive_.point(DNNL_ARG_DIFF_WEIGHTS, reordered_.instead_of(result(values), workspace_));
    primitive_.run();
    reordered_.give_to(result(values), workspace_);
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

// Weights in the order that a primitive asks for, which nobody knows before it is made: as many.
std::size_t workspace_bytes_of(const ConvolutionShape& shape, const Engine&) {
  return shape.n_window() * shape.y[3] * sizeof(float);
}

}  // namespace

constinit const ConvolutionAlgorithmKernels kOneDnnConvolution =
    algorithm_kernels<ForwardPrimitive, TransposedPrimitive, WeightGradientPrimitive>(
        workspace_bytes_of);

}  // namespace lipizz::nn
