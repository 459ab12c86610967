#include "nn/cpu/onednn_convolution.hpp"

#include "core/error.hpp"
#include "nn/cpu/convolution_primitives.hpp"
#include "nn/cpu/pixel_products.hpp"
#include "nn/cpu/window_products.hpp"
#include "nn/cpu/winograd.hpp"
#include "nn/cpu/winograd_products.hpp"

namespace lipizz::nn {
namespace {

const ConvolutionKernels& kernels_of(const Graph& graph, ValueId value) {
  const Attributes& attributes = graph.node(value).attributes;
  switch (attributes.way) {
    case ConvolutionWay::kWindows:
      return kWindowProducts;
    case ConvolutionWay::kPixels:
      return kPixelProducts;
    case ConvolutionWay::kWinograd:
      return Winograd::fits(attributes.window) ? kWinogradProducts : kWindowProducts;
    case ConvolutionWay::kPrimitive:
      return kConvolutionPrimitives;
    case ConvolutionWay::kChosen:
      break;
  }
  throw InternalError("a convolution whose way was not chosen");
}

}  // namespace

std::unique_ptr<Kernel<float>> make_convolution(const Graph& graph, ValueId value) {
  return kernels_of(graph, value).forward(graph, value);
}

std::unique_ptr<Kernel<float>> make_transposed_convolution(const Graph& graph, ValueId value) {
  return kernels_of(graph, value).transposed(graph, value);
}

std::unique_ptr<Kernel<float>> make_convolution_weights(const Graph& graph, ValueId value) {
  return kernels_of(graph, value).weights(graph, value);
}

std::size_t convolution_room(const Graph& graph, ValueId value) {
  return kernels_of(graph, value).room(convolution_shape(graph, value));
}

}  // namespace lipizz::nn
