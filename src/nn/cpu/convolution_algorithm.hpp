#pragma once

#include <cstddef>
#include <memory>

#include "nn/cpu/plan.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn {

/// The kernels of one algorithm for a convolution, its transpose (the input gradient) and its
/// weight gradient.
struct ConvolutionAlgorithmKernels {
  using Make = std::unique_ptr<Kernel<float>> (*)(const Graph& graph, ValueId value);
  Make forward;
  Make transposed;
  Make weight_gradient;
  /// Bytes of workspace that each of them asks for.
  std::size_t (*workspace_bytes)(const ConvolutionShape& shape);
};

template <class OneKernel>
std::unique_ptr<Kernel<float>> make_convolution_kernel(const Graph& graph, ValueId value) {
  return std::make_unique<OneKernel>(graph, value);
}

template <class Forward, class Transposed, class WeightGradient>
constexpr ConvolutionAlgorithmKernels algorithm_kernels(
    std::size_t (*workspace_bytes)(const ConvolutionShape&)) {
  return {make_convolution_kernel<Forward>, make_convolution_kernel<Transposed>,
          make_convolution_kernel<WeightGradient>, workspace_bytes};
}

}  // namespace lipizz::nn
