#include "nn/graph/operation_cost.hpp"

#include <algorithm>

#include "nn/graph/operation.hpp"

namespace lipizz::nn {

std::uint64_t operation_cost(const Graph& graph, ValueId operation) {
  constexpr std::uint64_t kFlopsPerElement = 16;  // that a core makes while it moves a float
  const Node& node = graph.node(operation);
  std::uint64_t n_moved = n_elements(node.shape);
  for (const ValueId input : node.inputs) {
    if (graph.node(input).operation != nullptr) n_moved += n_elements(graph.shape(input));
  }
  return std::max(graph.flops(operation), kFlopsPerElement * n_moved);
}

GraphCost graph_cost(const Graph& graph) {
  GraphCost cost;
  for (const ValueId value : graph.live_operations()) {
    const Operation& operation = *graph.node(value).operation;
    cost.operations += operation_cost(graph, value);
    if (!operation.is_collective) continue;
    cost.sent += graph.sent(value);
    if (!operation.only_sends) cost.waits += 1;
  }
  return cost;
}

}  // namespace lipizz::nn
