#pragma once

#include <cuda_bf16.h>

#include <cstddef>

#include "nn/base/buffer.hpp"
#include "nn/cuda/cudnn.hpp"
#include "nn/cuda/launch.cuh"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn::cuda {

/// A convolution of the library's with its values in workspace: there they do not move, while
/// networks are bound anew under a captured graph, and have the library's type and order.
class StagedConvolution {
 public:
  StagedConvolution(const ConvolutionShape& shape, ConvolutionProduct which)
      : which_(which),
        kernel_(std::size_t{shape.window.kernel} * shape.window.kernel),
        channels_(shape.x[3]),
        outputs_(shape.y[3]),
        n_x_(n_elements(shape.x)),
        n_y_(n_elements(shape.y)) {}

  /// Floats of workspace that a model needs.
  [[nodiscard]] std::size_t size() const { return at_y() + padded<float>(n_y_); }

  /// The first input is x, or y of a derivative by images; the second are weights, or y.
  template <class T>
  void run(CudaWork& work, const LibraryConvolution& library, bool is_measured) const {
    if (is_measured) return;
    const bool is_input_gradient = which_ == ConvolutionProduct::kInputGradient;
    const bool is_weight_gradient = which_ == ConvolutionProduct::kWeightGradient;
    if (!is_input_gradient) take<T>(work, 0, n_x_, 0);
    if (is_input_gradient) take<T>(work, 0, n_y_, at_y());
    if (is_weight_gradient) take<T>(work, 1, n_y_, at_y());
    if (!is_weight_gradient) take_weights<T>(work);
    const LaunchContext& context = work.context();
    for (std::uint32_t model = 0; model < context.n_models; ++model) {
      float* workspace = context.workspace + model * context.n_workspace;
      library.run(workspace, workspace + at_weights(), workspace + at_y(),
                  context.library_workspace);
    }
    if (is_weight_gradient) return give_weights<T>(work);
    give<T>(work, is_input_gradient ? n_x_ : n_y_, is_input_gradient ? 0 : at_y());
  }

  template <class T>
  void take(CudaWork& work, std::uint32_t input, std::size_t n, std::size_t at) const {
    work.each(n, [=] __device__(const Operands& o, std::size_t i) {
      reinterpret_cast<T*>(o.workspace + at)[i] = static_cast<T>(o.in(input)[i]);
    });
  }

  template <class T>
  void give(CudaWork& work, std::size_t n, std::size_t at) const {
    work.each(n, [=] __device__(const Operands& o, std::size_t i) {
      o.out()[i] = static_cast<float>(reinterpret_cast<const T*>(o.workspace + at)[i]);
    });
  }

  // Ours are [k, k, C, O], the library's [O, k, k, C].
  template <class T>
  void take_weights(CudaWork& work) const {
    const StagedConvolution self = *this;
    work.each(n_weights(), [self] __device__(const Operands& o, std::size_t i) {
      T* theirs = reinterpret_cast<T*>(o.workspace + self.at_weights());
      theirs[self.library_place(i)] = static_cast<T>(o.in(1)[i]);
    });
  }

  template <class T>
  void give_weights(CudaWork& work) const {
    const StagedConvolution self = *this;
    work.each(n_weights(), [self] __device__(const Operands& o, std::size_t i) {
      const T* theirs = reinterpret_cast<const T*>(o.workspace + self.at_weights());
      o.out()[i] = static_cast<float>(theirs[self.library_place(i)]);
    });
  }

  [[nodiscard]] constexpr std::size_t n_weights() const { return kernel_ * channels_ * outputs_; }
  [[nodiscard]] constexpr std::size_t at_weights() const { return padded<float>(n_x_); }
  [[nodiscard]] constexpr std::size_t at_y() const {
    return at_weights() + padded<float>(n_weights());
  }
  [[nodiscard]] constexpr std::size_t library_place(std::size_t i) const {
    const std::size_t pixel_and_channel = i / outputs_;  // [k * k, C]
    return i % outputs_ * kernel_ * channels_ + pixel_and_channel;
  }

 private:
  ConvolutionProduct which_;
  std::size_t kernel_;  // elements of a window in the plane
  std::size_t channels_;
  std::size_t outputs_;
  std::size_t n_x_;
  std::size_t n_y_;
};

}  // namespace lipizz::nn::cuda
