#pragma once

#include <cstddef>
#include <memory>

#include "nn/cpu/plan.hpp"
#include "nn/graph/convolution.hpp"

namespace lipizz::nn {

/// The kernels of one way to compute a convolution, its transpose and its derivative by the
/// weights.
struct ConvolutionKernels {
  using Make = std::unique_ptr<Kernel<float>> (*)(const Graph& graph, ValueId value);
  Make forward;
  Make transposed;
  Make weights;
  /// Bytes of scratch that each of them asks for.
  std::size_t (*room)(const ConvolutionShape& shape);
};

template <class OneKernel>
std::unique_ptr<Kernel<float>> make_convolution_kernel(const Graph& graph, ValueId value) {
  return std::make_unique<OneKernel>(graph, value);
}

template <class Forward, class Transposed, class Weights>
constexpr ConvolutionKernels convolution_kernels(std::size_t (*room)(const ConvolutionShape&)) {
  return {make_convolution_kernel<Forward>, make_convolution_kernel<Transposed>,
          make_convolution_kernel<Weights>, room};
}

}  // namespace lipizz::nn
