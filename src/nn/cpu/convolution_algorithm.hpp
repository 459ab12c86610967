#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "nn/base/precision.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn {

/// The kernels of one algorithm for a convolution, its transpose (the input gradient) and its
/// weight gradient. Precision is that of factors, where the algorithm is made of products of
/// matrices and these lose little by it.
struct ConvolutionAlgorithmKernels {
  using Make = std::unique_ptr<Kernel<float>> (*)(const Graph& graph, ValueId value,
                                                  Precision precision);
  Make forward;
  Make transposed;
  Make weight_gradient;
  /// Bytes of workspace that each of them asks for; a primitive may ask for a little more.
  std::size_t (*workspace_bytes)(const ConvolutionShape& shape, Precision precision);
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
    std::size_t (*workspace_bytes)(const ConvolutionShape&, Precision)) {
  return {make_convolution_kernel<Forward>, make_convolution_kernel<Transposed>,
          make_convolution_kernel<WeightGradient>, workspace_bytes};
}

}  // namespace lipizz::nn
