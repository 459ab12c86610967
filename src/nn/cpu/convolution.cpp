#include "nn/cpu/convolution.hpp"

#include "core/error.hpp"
#include "nn/cpu/im2col_convolution.hpp"
#include "nn/cpu/kn2row_convolution.hpp"
#include "nn/cpu/onednn_convolution_primitives.hpp"
#include "nn/cpu/winograd.hpp"
#include "nn/cpu/winograd_convolution.hpp"

namespace lipizz::nn {
namespace {

const ConvolutionAlgorithmKernels& kernels_of(const Graph& graph, ValueId value) {
  const Attributes& attributes = graph.node(value).attributes;
  if (attributes.window.groups > 1) return kOneDnnConvolution;
  switch (attributes.algorithm) {
    case ConvolutionAlgorithm::kIm2col:
      return kIm2colConvolution;
    case ConvolutionAlgorithm::kKn2row:
      return kKn2rowConvolution;
    case ConvolutionAlgorithm::kWinograd:
      return Winograd::fits(attributes.window) ? kWinogradConvolution : kIm2colConvolution;
    case ConvolutionAlgorithm::kOneDnnPrimitive:
      return kOneDnnConvolution;
    case ConvolutionAlgorithm::kAuto:
      break;
  }
  throw InternalError("a convolution whose algorithm was not chosen");
}

template <ConvolutionAlgorithmKernels::Make ConvolutionAlgorithmKernels::*member>
std::unique_ptr<Kernel<float>> make(const Graph& graph, ValueId value) {
  return (kernels_of(graph, value).*member)(graph, value);
}

// The unfolded windows, taps or points, or the weights in the order that a primitive asks for.
std::size_t workspace_bytes(const Graph& graph, ValueId value) {
  return kernels_of(graph, value).workspace_bytes(convolution_shape(graph, value));
}

}  // namespace

std::span<const KernelEntry> convolution_kernels() {
  using Kernels = ConvolutionAlgorithmKernels;
  static constexpr KernelEntry kTable[] = {
      {&kConvolution, make<&Kernels::forward>, workspace_bytes},
      {&kTransposedConvolution, make<&Kernels::transposed>, workspace_bytes},
      {&kConvolutionWeightGradient, make<&Kernels::weight_gradient>, workspace_bytes},
  };
  return kTable;
}

}  // namespace lipizz::nn
