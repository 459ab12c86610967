#include "nn/graph/convolution.hpp"

#include "nn/graph/operations.hpp"

namespace lipizz::nn {

bool is_convolution(const Graph& graph, ValueId value) {
  const Operation* operation = graph.node(value).operation;
  return operation == &kConvolution || operation == &kTransposedConvolution ||
         operation == &kConvolutionWeightGradient;
}

ConvolutionShape convolution_shape(const Graph& graph, ValueId value) {
  const Node& node = graph.node(value);
  const Shape& first = graph.shape(node.inputs[0]);
  const Window& window = node.attributes.window;
  if (node.operation == &kConvolution) return {first, node.shape, window};
  if (node.operation == &kTransposedConvolution) return {node.shape, first, window};
  return {first, graph.shape(node.inputs[1]), window};
}

}  // namespace lipizz::nn
