#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "nn/activation.hpp"
#include "nn/graph.hpp"
#include "nn/shape.hpp"

namespace lipizz::nn {

/// y = activation(x W + b). x: [N, inputs], W: [inputs, outputs], b: [outputs].
struct LinearLayer {
  std::uint32_t outputs;
  Activation activation = Activation::kNone;
};

/// A network described once: what it takes and its layers in order.
struct NetworkSpec {
  std::uint32_t inputs = 0;
  std::vector<LinearLayer> layers;
  [[nodiscard]] std::uint32_t outputs() const { return layers.back().outputs; }
};

/// One parameter tensor inside a network's buffer.
struct ParameterBlock {
  std::string name;    // "0.weight": the layer's index and the tensor's role
  std::size_t offset;  // elements from the start of the buffer
  Shape shape;
  std::uint32_t fan_in;
};

/// How a network's parameters lie in one contiguous buffer: blocks without gaps in layer order,
/// then zeros up to `n_padded`. The same for every genome of that network.
struct ParameterLayout {
  std::vector<ParameterBlock> blocks;
  std::size_t n_parameters = 0;
  std::size_t n_padded = 0;
};

ParameterLayout parameter_layout(const NetworkSpec& network);

/// Writes initial parameters: PyTorch's default for linear layers, weights and biases uniform in
/// +-1/sqrt(fan_in); the padding is zero. parameters: [n_padded].
void initialise(const NetworkSpec& network, const Random& random, std::span<float> parameters);

/// Adds the network's layers to the graph. x: [N, inputs]; returns [N, outputs].
/// `parameters` is a slot of n_padded elements.
ValueId add_network(Graph& graph, const NetworkSpec& network, SlotId parameters, ValueId x);

/// Parameter tensors of `network` as values of `graph`, in layout order.
std::vector<ValueId> parameter_values(Graph& graph, const NetworkSpec& network, SlotId parameters);

}  // namespace lipizz::nn
