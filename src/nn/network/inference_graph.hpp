#pragma once

#include <cstdint>
#include <optional>

#include "nn/graph/graph.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {

/// A network in use as a graph, with the slots that its caller binds.
struct InferenceGraph {
  Graph graph;
  SlotId parameters;               // [n_padded], of the whole network
  SlotId input;                    // [batch, inputs]
  SlotId output;                   // [batch, outputs of the last layer asked for]
  std::optional<SlotId> labels{};  // [batch], where the network knows of classes
};

/// The first `n_layers` of the network; all of them when 0.
InferenceGraph inference_graph(const NetworkSpec& network, std::uint32_t batch,
                               std::uint32_t n_layers = 0);

}  // namespace lipizz::nn
