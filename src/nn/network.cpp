#include "nn/network.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "nn/buffer.hpp"
#include "nn/operations.hpp"

namespace lipizz::nn {

ParameterLayout parameter_layout(const NetworkSpec& network) {
  ParameterLayout layout;
  std::uint32_t inputs = network.inputs;
  std::size_t offset = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const std::uint32_t outputs = network.layers[i].outputs;
    const std::string index = std::to_string(i);
    layout.blocks.push_back({index + ".weight", offset, {inputs, outputs}, inputs});
    offset += std::size_t{inputs} * outputs;
    layout.blocks.push_back({index + ".bias", offset, {outputs}, inputs});
    offset += outputs;
    inputs = outputs;
  }
  layout.n_parameters = offset;
  layout.n_padded = padded<float>(offset);
  return layout;
}

void initialise(const NetworkSpec& network, const Random& random, std::span<float> parameters) {
  const ParameterLayout layout = parameter_layout(network);
  LIPIZZ_ASSERT(parameters.size() == layout.n_padded);
  std::ranges::fill(parameters, 0.0f);
  for (const ParameterBlock& block : layout.blocks) {
    const float bound = 1.0f / std::sqrt(static_cast<float>(block.fan_in));
    const std::size_t end = block.offset + n_elements(block.shape);
    for (std::size_t i = block.offset; i < end; ++i) {
      const float u = random.uniform(static_cast<std::uint32_t>(i));
      parameters[i] = bound * (2 * u - 1);
    }
  }
}

std::vector<ValueId> parameter_values(Graph& graph, const NetworkSpec& network, SlotId parameters) {
  std::vector<ValueId> values;
  for (const ParameterBlock& block : parameter_layout(network).blocks) {
    values.push_back(graph.view(parameters, block.offset, block.shape));
  }
  return values;
}

ValueId add_network(Graph& graph, const NetworkSpec& network, SlotId parameters, ValueId x) {
  const std::vector<ValueId> values = parameter_values(graph, network, parameters);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    x = graph.apply(kLinear, {x, values[2 * i], values[2 * i + 1]},
                    {.activation = network.layers[i].activation});
  }
  return x;
}

}  // namespace lipizz::nn
