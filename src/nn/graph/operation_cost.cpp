#include "nn/graph/operation_cost.hpp"

#include <algorithm>

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

}  // namespace lipizz::nn
