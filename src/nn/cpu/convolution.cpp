#include "nn/cpu/convolution.hpp"

#include "nn/cpu/convolution_choice.hpp"
#include "nn/cpu/direct_convolution.hpp"
#include "nn/cpu/grouped_winograd.hpp"
#include "nn/cpu/im2col_convolution.hpp"
#include "nn/cpu/kn2row_convolution.hpp"
#include "nn/cpu/onednn_convolution_primitives.hpp"
#include "nn/cpu/winograd_convolution.hpp"

namespace lipizz::nn {
namespace {

const ConvolutionAlgorithmKernels& kernels_of(const Graph& graph, ValueId value) {
  const ConvolutionShape shape = convolution_shape(graph, value);
  const ConvolutionAlgorithm algorithm = graph.node(value).attributes.algorithm;
  if (!fits(algorithm, *graph.node(value).operation, shape)) {
    return shape.window.groups > 1 ? kOneDnnConvolution : kIm2colConvolution;
  }
  switch (algorithm) {
    case ConvolutionAlgorithm::kKn2row:
      return kKn2rowConvolution;
    case ConvolutionAlgorithm::kWinograd:
      return shape.window.groups > 1 ? kGroupedWinograd : kWinogradConvolution;
    case ConvolutionAlgorithm::kWinograd4:
      return kWinograd4Convolution;
    case ConvolutionAlgorithm::kOneDnnPrimitive:
      return kOneDnnConvolution;
    case ConvolutionAlgorithm::kDirect:
      return kDirectConvolution;
    case ConvolutionAlgorithm::kIm2col:
    case ConvolutionAlgorithm::kAuto:  // which fits() refuses
      break;
  }
  return kIm2colConvolution;
}

using OfOperation = ConvolutionAlgorithmKernels::OfOperation;

template <OfOperation ConvolutionAlgorithmKernels::*member, Precision precision>
std::unique_ptr<Kernel<float>> make(const Graph& graph, ValueId value) {
  return (kernels_of(graph, value).*member).make(graph, value, precision);
}

// The unfolded windows, taps or points, or weights and lines in the order that a primitive or the
// direct loops ask for.
template <OfOperation ConvolutionAlgorithmKernels::*member>
std::size_t workspace_bytes(const Engine& engine, const Graph& graph, ValueId value) {
  const OfOperation& kernel = kernels_of(graph, value).*member;
  return kernel.workspace_bytes(convolution_shape(graph, value), engine);
}

template <OfOperation ConvolutionAlgorithmKernels::*member, Precision precision>
constexpr KernelEntry entry_of(const Operation* operation) {
  return {operation, make<member, precision>, workspace_bytes<member>};
}

template <Precision precision>
std::span<const KernelEntry> kernels_in() {
  using Kernels = ConvolutionAlgorithmKernels;
  static constexpr KernelEntry kTable[] = {
      entry_of<&Kernels::forward, precision>(&kConvolution),
      entry_of<&Kernels::transposed, precision>(&kTransposedConvolution),
      entry_of<&Kernels::weight_gradient, precision>(&kConvolutionWeightGradient),
  };
  return kTable;
}

}  // namespace

std::span<const KernelEntry> convolution_kernels() {
  return kernels_in<Precision::kF32>();
}

std::span<const KernelEntry> bf16_convolution_kernels() {
  return kernels_in<Precision::kBf16>();
}

}  // namespace lipizz::nn
