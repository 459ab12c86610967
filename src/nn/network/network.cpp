#include "nn/network/network.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "nn/base/buffer.hpp"
#include "nn/base/spectral.hpp"

namespace lipizz::nn {
namespace {

bool is_statistic(Role role) {
  return role == Role::kMean || role == Role::kVariance || role == Role::kSingular;
}

std::vector<ValueId> inputs_of(const Layer& layer, const std::vector<ValueId>& results) {
  if (layer.from.empty()) return {results.back()};
  std::vector<ValueId> inputs;
  for (const std::uint32_t source : layer.from) {
    if (source >= results.size()) {
      throw InternalError("layer " + std::to_string(results.size()) +
                          " takes the result of layer " + std::to_string(source) +
                          ", which does not come before it");
    }
    inputs.push_back(results[source]);
  }
  return inputs;
}

// A part of a batch on its way through the layers.
struct PassingPart {
  const Pass& pass;
  LayerBuilder::Place place;       // says where each tensor lies
  std::vector<ValueId> results{};  // the input, then each layer's
};

PassingPart at_input(Graph& graph, const NetworkSpec& network, ValueId x, const Pass& pass,
                     LayerBuilder::Place place) {
  Shape input{graph.shape(x).front()};
  input.insert(input.end(), network.inputs.begin(), network.inputs.end());
  return {pass, std::move(place), {graph.reshape(x, input)}};
}

// [N, outputs].
ValueId output_of(Graph& graph, const PassingPart& part) {
  const ValueId x = part.results.back();
  const std::uint32_t n_rows = graph.shape(x).front();
  return graph.reshape(x,
                       {n_rows, static_cast<std::uint32_t>(n_elements(graph.shape(x)) / n_rows)});
}

void add_layer(Graph& graph, const NetworkSpec& network, std::size_t index,
               std::span<PassingPart> parts, const BatchParts* batch) {
  const Layer& layer = network.layers[index];
  const auto stages = parts.front().pass.stage_of_layer;
  if (!stages.empty()) graph.set_stage(stages[index]);
  std::vector<LayerBuilder> builders;
  for (const PassingPart& part : parts) {
    builders.emplace_back(graph, network, index, inputs_of(layer, part.results), part.pass,
                          part.place);
  }
  const bool is_joint = batch != nullptr && layer.kind->add_together != nullptr &&
                        parts.front().pass.mode != Mode::kInference;
  const std::vector<ValueId> joint =
      is_joint ? layer.kind->add_together(builders, *batch) : std::vector<ValueId>{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].results.push_back(is_joint ? joint[i] : layer.kind->add(builders[i]));
  }
}

// Where the blocks lie that come one after the other.
std::size_t stack(std::vector<ParameterBlock>& blocks, std::size_t offset) {
  for (ParameterBlock& block : blocks) {
    block.offset = offset;
    offset += n_elements(block.shape);
  }
  return offset;
}

struct Traced {
  ParameterLayout layout;
  std::uint32_t n_outputs;
};

// Builds the network for one sample, to see what it needs and gives.
Traced trace(
    const NetworkSpec& network,
    const std::function<void(const AddedLayer& added)>& visit = [](const AddedLayer&) {}) {
  Traced traced{};
  Graph graph;
  ParameterLayout& layout = traced.layout;
  const auto slot = [&](std::size_t n) { return graph.add_slot("", n, Slot::Access::kReadWrite); };
  const ValueId x = graph.view(slot(network.n_inputs()), 0, {1, network.n_inputs()});
  const Pass pass{.labels = graph.view(slot(1), 0, {1})};
  PassingPart part = at_input(graph, network, x, pass, [&](const ParameterBlock& block) {
    (is_statistic(block.role) ? layout.statistics : layout.blocks).push_back(block);
    return graph.view(slot(2 * n_elements(block.shape)), 0, block.shape);
  });
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const ValueId first{static_cast<std::uint32_t>(graph.nodes().size())};
    add_layer(graph, network, i, std::span(&part, 1), nullptr);
    visit({graph, first, part.results.back(), layout});
  }
  const ValueId y = output_of(graph, part);
  layout.n_parameters = stack(layout.blocks, 0);
  layout.n_padded = padded<float>(stack(layout.statistics, padded<float>(layout.n_parameters)));
  traced.n_outputs = graph.shape(y)[1];
  return traced;
}

// Singular vectors come in twos, u [outputs] and v, and belong to the layer's weights.
void find_singular_vectors(const ParameterLayout& layout, std::span<float> buffer) {
  constexpr int kIterations = 15;
  for (std::size_t i = 0; i < layout.statistics.size(); ++i) {
    const ParameterBlock& u = layout.statistics[i];
    if (u.role != Role::kSingular) continue;
    const ParameterBlock& v = layout.statistics[++i];
    const std::string weight = u.name.substr(0, u.name.size() - std::string_view("_u").size());
    const auto w = std::ranges::find(layout.blocks, weight, &ParameterBlock::name);
    LIPIZZ_ASSERT(w != layout.blocks.end());
    for (int k = 0; k < kIterations; ++k) {
      iterate_power<float>(buffer.data() + w->offset, n_elements(v.shape), n_elements(u.shape),
                           buffer.data() + u.offset, buffer.data() + v.offset);
    }
  }
}

}  // namespace

std::uint32_t append(NetworkSpec& network, Layer layer) {
  network.layers.push_back(std::move(layer));
  return static_cast<std::uint32_t>(network.layers.size());
}

NetworkSpec without_spectral_norm(NetworkSpec network) {
  for (Layer& layer : network.layers) layer.has_spectral_norm = false;
  return network;
}

std::uint32_t n_outputs(const NetworkSpec& network) {
  return trace(network).n_outputs;
}

ParameterLayout parameter_layout(const NetworkSpec& network) {
  return trace(network).layout;
}

void visit_layers(const NetworkSpec& network,
                  const std::function<void(const AddedLayer& added)>& visit) {
  trace(network, visit);
}

void initialise(const NetworkSpec& network, const Random& random, std::span<float> parameters) {
  const ParameterLayout layout = parameter_layout(network);
  LIPIZZ_ASSERT(parameters.size() == layout.n_padded);
  std::ranges::fill(parameters, 0.0f);
  for (const auto* blocks : {&layout.blocks, &layout.statistics}) {
    for (const ParameterBlock& block : *blocks) {
      network.initialiser->fill(block, random,
                                parameters.subspan(block.offset, n_elements(block.shape)));
    }
  }
  find_singular_vectors(layout, parameters);
}

std::vector<ValueId> parameter_values(Graph& graph, const NetworkSpec& network, SlotId parameters) {
  std::vector<ValueId> values;
  for (const ParameterBlock& block : parameter_layout(network).blocks) {
    values.push_back(graph.view(parameters, block.offset, block.shape));
  }
  return values;
}

ValueId add_network(Graph& graph, const NetworkSpec& network, SlotId parameters, ValueId x,
                    const Pass& pass) {
  const PartOfBatch part{x, pass};
  return add_network(graph, network, parameters, std::span(&part, 1), nullptr).front();
}

std::vector<ValueId> add_network(Graph& graph, const NetworkSpec& network, SlotId parameters,
                                 std::span<const PartOfBatch> parts, const BatchParts* batch) {
  const ParameterLayout layout = parameter_layout(network);
  std::vector<PassingPart> passing;
  for (const PartOfBatch& part : parts) {
    const auto place = [&, next_block = std::size_t{0},
                        next_statistic = std::size_t{0}](const ParameterBlock& block) mutable {
      if (is_statistic(block.role)) {
        return graph.view(parameters, layout.statistics[next_statistic++].offset, block.shape);
      }
      const std::size_t i = next_block++;
      if (!part.tensors.empty()) return part.tensors[i];
      return graph.view(parameters, layout.blocks[i].offset, block.shape);
    };
    passing.push_back(at_input(graph, network, part.x, part.pass, place));
  }
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    add_layer(graph, network, i, passing, batch);
  }
  std::vector<ValueId> outputs;
  for (const PassingPart& part : passing) outputs.push_back(output_of(graph, part));
  return outputs;
}

bool looks_at_batches(const NetworkSpec& network) {
  return std::ranges::any_of(
      network.layers, [](const Layer& layer) { return layer.kind->add_together != nullptr; });
}

}  // namespace lipizz::nn
