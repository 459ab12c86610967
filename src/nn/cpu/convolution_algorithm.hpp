#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "nn/base/engine.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn {

/// The kernels of one algorithm for a convolution, its transpose (the input gradient) and its
/// weight gradient. Precision is that of factors, where the algorithm is made of products of
/// matrices.
struct ConvolutionAlgorithmKernels {
  /// Bytes of workspace that a kernel asks for; a primitive may ask for a little more.
  using WorkspaceBytes = std::size_t (*)(const ConvolutionShape& shape, const Engine& engine);
  struct OfOperation {
    std::unique_ptr<Kernel<float>> (*make)(const Graph& graph, ValueId value, Precision precision);
    WorkspaceBytes workspace_bytes;
  };
  OfOperation forward;
  OfOperation transposed;
  OfOperation weight_gradient;
};

template <class OneKernel>
std::unique_ptr<Kernel<float>> make_convolution_kernel(const Graph& graph, ValueId value,
                                                       [[maybe_unused]] Precision precision) {
  if constexpr (std::is_constructible_v<OneKernel, const Graph&, ValueId, Precision>) {
    return std::make_unique<OneKernel>(graph, value, precision);
  } else {
    return std::make_unique<OneKernel>(graph, value);
  }
}

template <class Forward, class Transposed, class WeightGradient>
constexpr ConvolutionAlgorithmKernels algorithm_kernels(
    ConvolutionAlgorithmKernels::WorkspaceBytes of_passes,
    ConvolutionAlgorithmKernels::WorkspaceBytes of_weight_gradient) {
  return {{make_convolution_kernel<Forward>, of_passes},
          {make_convolution_kernel<Transposed>, of_passes},
          {make_convolution_kernel<WeightGradient>, of_weight_gradient}};
}
template <class Forward, class Transposed, class WeightGradient>
constexpr ConvolutionAlgorithmKernels algorithm_kernels(
    ConvolutionAlgorithmKernels::WorkspaceBytes of_each) {
  return algorithm_kernels<Forward, Transposed, WeightGradient>(of_each, of_each);
}

}  // namespace lipizz::nn
