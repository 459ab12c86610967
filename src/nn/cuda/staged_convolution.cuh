#pragma once

#include <cuda_bf16.h>

#include <cstddef>
#include <type_traits>

#include "nn/base/buffer.hpp"
#include "nn/cuda/cudnn.hpp"
#include "nn/cuda/launch.cuh"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn::cuda {

/// A value that the library reads or writes: in place, or a copy.
struct StagedValue {
  ValueId id;
  std::size_t n = 0;
  bool is_in_place = false;
  bool is_result = false;
  std::size_t begin = 0;  // floats, among the copies or in workspace
};

/// A convolution of the library's, whose values are T and lie where they stay while networks are
/// bound anew under a captured graph: in the plan's own memory as they are, where they are floats,
/// else as copies, the result in workspace. Weights always are copies, since the library has
/// another order.
template <class T>
class StagedConvolution {
 public:
  StagedConvolution(CudaWork& work, const ConvolutionShape& shape, ConvolutionProduct which)
      : work_(work),
        which_(which),
        n_weights_of_output_(std::size_t{shape.window.kernel} * shape.window.kernel * shape.x[3]),
        n_outputs_(shape.y[3]) {
    const ValueId first = work.node().inputs[0];
    const ValueId second = work.node().inputs[1];
    const std::size_t n_x = n_elements(shape.x);
    const std::size_t n_y = n_elements(shape.y);
    const std::size_t n_weights = n_weights_of_output_ * n_outputs_;
    switch (which) {
      case ConvolutionProduct::kForward:
        x_ = taken(first, n_x), weights_ = taken(second, n_weights), y_ = given(n_y);
        break;
      case ConvolutionProduct::kInputGradient:
        y_ = taken(first, n_y), weights_ = taken(second, n_weights), x_ = given(n_x);
        break;
      case ConvolutionProduct::kWeightGradient:
        x_ = taken(first, n_x), y_ = taken(second, n_y), weights_ = given(n_weights);
        break;
    }
  }

  void run(const LibraryConvolution& library) const {
    if (which_ != ConvolutionProduct::kWeightGradient) take_weights();
    if (which_ != ConvolutionProduct::kInputGradient) take<0>(x_);
    if (which_ == ConvolutionProduct::kInputGradient) take<0>(y_);
    if (which_ == ConvolutionProduct::kWeightGradient) take<1>(y_);
    for (std::uint32_t model = 0; model < work_.context().n_models; ++model) {
      library.run(memory(x_, model), memory(weights_, model), memory(y_, model),
                  work_.context().library_workspace);
    }
    if (which_ == ConvolutionProduct::kForward) give(y_);
    if (which_ == ConvolutionProduct::kInputGradient) give(x_);
    if (which_ == ConvolutionProduct::kWeightGradient) give_weights();
  }

 private:
  StagedValue taken(ValueId id, std::size_t n) const {
    const bool is_weights =
        id == work_.node().inputs[1] && which_ != ConvolutionProduct::kWeightGradient;
    StagedValue value{.id = id, .n = n, .is_in_place = !is_weights && can_be_in_place(id)};
    if (!value.is_in_place) value.begin = work_.context().staged->place(id, n_floats(n));
    return value;
  }

  StagedValue given(std::size_t n) const {
    const bool is_weights = which_ == ConvolutionProduct::kWeightGradient;
    StagedValue value{.id = work_.value(),
                      .n = n,
                      .is_in_place = !is_weights && can_be_in_place(work_.value()),
                      .is_result = true};
    if (!value.is_in_place) work_.use_workspace(padded<float>(n_floats(n)));
    return value;
  }

  /// As much memory as so many values take.
  static constexpr std::size_t n_floats(std::size_t n) {
    return (n * sizeof(T) + sizeof(float) - 1) / sizeof(float);
  }

  [[nodiscard]] float* own(ValueId value, std::uint32_t model) const {
    const LaunchContext& context = work_.context();
    return context.own[std::size_t{value.index} * context.n_models + model];
  }

  [[nodiscard]] bool can_be_in_place(ValueId value) const {
    return std::is_same_v<T, float> && own(value, 0) != nullptr &&
           work_.begins_at_multiple_of(kAlignment, value);
  }

  [[nodiscard]] void* memory(const StagedValue& value, std::uint32_t model) const {
    const LaunchContext& context = work_.context();
    if (value.is_in_place) return own(value.id, model);
    if (value.is_result) return context.workspace.of(model);
    return context.copies.of(model) + value.begin;
  }

  [[nodiscard]] bool needs_copy(const StagedValue& value) const {
    return !value.is_in_place && work_.context().staged->has_to_be_made(value.id);
  }

 public:  // for nvcc, which has no lambdas in private functions
  template <std::uint32_t input>
  void take(const StagedValue& value) const {
    if (!needs_copy(value)) return;
    work_.each(value.n, [begin = value.begin] __device__(const Operands& o, std::size_t i) {
      reinterpret_cast<T*>(o.copies + begin)[i] = static_cast<T>(o.in(input)[i]);
    });
  }

  void give(const StagedValue& value) const {
    if (value.is_in_place) return;
    work_.each(value.n, [] __device__(const Operands& o, std::size_t i) {
      o.out()[i] = static_cast<float>(reinterpret_cast<const T*>(o.workspace)[i]);
    });
  }

  // Ours are [k, k, C, O], the library's [O, k, k, C].
  void take_weights() const {
    if (!needs_copy(weights_)) return;
    work_.transpose(
        n_weights_of_output_, n_outputs_, [] __device__(const Operands& o) { return o.in(1); },
        [begin = weights_.begin] __device__(const Operands& o) {
          return reinterpret_cast<T*>(o.copies + begin);
        });
  }

  void give_weights() const {
    work_.transpose(
        n_outputs_, n_weights_of_output_,
        [] __device__(const Operands& o) { return reinterpret_cast<const T*>(o.workspace); },
        [] __device__(const Operands& o) { return o.out(); });
  }

 private:
  CudaWork& work_;
  ConvolutionProduct which_;
  std::size_t n_weights_of_output_;
  std::size_t n_outputs_;
  StagedValue x_, weights_, y_;
};

}  // namespace lipizz::nn::cuda
