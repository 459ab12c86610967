#include "nn/cpu/convolution.hpp"

#include "core/error.hpp"
#include "nn/cpu/direct_convolution.hpp"
#include "nn/cpu/direct_packing.hpp"
#include "nn/cpu/im2col_convolution.hpp"
#include "nn/cpu/kn2row_convolution.hpp"
#include "nn/cpu/onednn_convolution_primitives.hpp"
#include "nn/cpu/winograd.hpp"
#include "nn/cpu/winograd_convolution.hpp"

namespace lipizz::nn {
namespace {

// Those of the node's algorithm where it fits the window; else im2col, or oneDNN for groups.
const ConvolutionAlgorithmKernels& kernels_of(const Graph& graph, ValueId value) {
  const ConvolutionShape shape = convolution_shape(graph, value);
  const bool has_groups = shape.window.groups > 1;
  switch (graph.node(value).attributes.algorithm) {
    case ConvolutionAlgorithm::kDirect:
      if (is_direct(shape)) return kDirectConvolution;
      break;
    case ConvolutionAlgorithm::kKn2row:
      if (!has_groups) return kKn2rowConvolution;
      break;
    case ConvolutionAlgorithm::kWinograd:
      if (!has_groups && Winograd::fits(shape.window)) return kWinogradConvolution;
      break;
    case ConvolutionAlgorithm::kOneDnnPrimitive:
      return kOneDnnConvolution;
    case ConvolutionAlgorithm::kIm2col:
      break;
    case ConvolutionAlgorithm::kAuto:
      throw InternalError("a convolution whose algorithm was not chosen");
  }
  return has_groups ? kOneDnnConvolution : kIm2colConvolution;
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
