#pragma once

#include <cuda_bf16.h>

#include <cstddef>
#include <type_traits>

#include "nn/base/buffer.hpp"
#include "nn/cuda/cudnn.hpp"
#include "nn/cuda/launch.cuh"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn::cuda {

/// A convolution of the library's, whose values are T and lie where they stay while networks are
/// bound anew under a captured graph: in the plan's own memory as they are, where they are floats,
/// else in workspace as copies. Weights always are copies, since the library has another order.
template <class T>
class StagedConvolution {
 public:
  StagedConvolution(CudaWork& work, const ConvolutionShape& shape, ConvolutionProduct which)
      : work_(work),
        which_(which),
        n_of_output_(std::size_t{shape.window.kernel} * shape.window.kernel * shape.x[3]),
        n_outputs_(shape.y[3]),
        n_x_(n_elements(shape.x)),
        n_y_(n_elements(shape.y)) {
    const ValueId first = work.node().inputs[0];
    const bool is_input_gradient = which == ConvolutionProduct::kInputGradient;
    const bool is_weight_gradient = which == ConvolutionProduct::kWeightGradient;
    x_ = is_input_gradient ? work.value() : first;
    y_ = is_input_gradient ? first : is_weight_gradient ? work.node().inputs[1] : work.value();
    at_y_ = padded<float>(n_of_output_ * n_outputs_);
    at_x_ = at_y_ + (is_in_place(y_) ? 0 : padded<float>(n_y_));
    work.use_workspace(at_x_ + (is_in_place(x_) ? 0 : padded<float>(n_x_)));
  }

  void run(const LibraryConvolution& library, bool is_measured) const {
    if (is_measured) return;
    if (which_ != ConvolutionProduct::kInputGradient) take<0>(x_, n_x_, at_x_);
    if (which_ == ConvolutionProduct::kInputGradient) take<0>(y_, n_y_, at_y_);
    if (which_ == ConvolutionProduct::kWeightGradient) take<1>(y_, n_y_, at_y_);
    if (which_ != ConvolutionProduct::kWeightGradient) take_weights();
    const LaunchContext& context = work_.context();
    for (std::uint32_t model = 0; model < context.n_models; ++model) {
      float* workspace = context.workspace + model * context.n_workspace;
      library.run(place(x_, model, workspace + at_x_), workspace,
                  place(y_, model, workspace + at_y_), context.library_workspace);
    }
    if (which_ == ConvolutionProduct::kForward) give(y_, n_y_, at_y_);
    if (which_ == ConvolutionProduct::kInputGradient) give(x_, n_x_, at_x_);
    if (which_ == ConvolutionProduct::kWeightGradient) give_weights();
  }

  template <std::uint32_t input>
  void take(ValueId value, std::size_t n, std::size_t at) const {
    if (is_in_place(value)) return;
    work_.each(n, [=] __device__(const Operands& o, std::size_t i) {
      reinterpret_cast<T*>(o.workspace + at)[i] = static_cast<T>(o.in(input)[i]);
    });
  }

  void give(ValueId value, std::size_t n, std::size_t at) const {
    if (is_in_place(value)) return;
    work_.each(n, [=] __device__(const Operands& o, std::size_t i) {
      o.out()[i] = static_cast<float>(reinterpret_cast<const T*>(o.workspace + at)[i]);
    });
  }

  // Ours are [k, k, C, O], the library's [O, k, k, C].
  void take_weights() const {
    work_.transpose(
        n_of_output_, n_outputs_, [] __device__(const Operands& o) { return o.in(1); },
        [] __device__(const Operands& o) { return reinterpret_cast<T*>(o.workspace); });
  }

  void give_weights() const {
    work_.transpose(
        n_outputs_, n_of_output_,
        [] __device__(const Operands& o) { return reinterpret_cast<const T*>(o.workspace); },
        [] __device__(const Operands& o) { return o.out(); });
  }

 private:
  [[nodiscard]] float* own(ValueId value, std::uint32_t model) const {
    const LaunchContext& context = work_.context();
    return context.own[std::size_t{value.index} * context.n_models + model];
  }

  [[nodiscard]] bool is_in_place(ValueId value) const {
    constexpr std::size_t kAlignment = 4;  // floats, as the library was told
    return std::is_same_v<T, float> && own(value, 0) != nullptr &&
           work_.begins_at_multiple_of(kAlignment, value);
  }

  [[nodiscard]] void* place(ValueId value, std::uint32_t model, float* copy) const {
    return is_in_place(value) ? own(value, model) : copy;
  }

  CudaWork& work_;
  ConvolutionProduct which_;
  std::size_t n_of_output_;  // weights
  std::size_t n_outputs_;
  std::size_t n_x_, n_y_;
  ValueId x_, y_;
  std::size_t at_x_, at_y_;  // in workspace, weights first
};

}  // namespace lipizz::nn::cuda
