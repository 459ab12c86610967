#pragma once

#include <cstdint>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// About how long an operation takes, in multiplications and additions: those that it makes or,
/// where reading its inputs and writing its result takes longer, as many as a core makes in that
/// time (the roofline of Williams et al. 2009, of a machine like those that we have seen). Tensors
/// in slots are read once for many rows, and not counted. For schedules, which no bit depends on.
std::uint64_t operation_cost(const Graph& graph, ValueId operation);

/// The operations of a graph, for one of the ranks that compute it together.
struct GraphCost {
  std::uint64_t operations = 0;  // operation_cost() of all of them
  std::uint64_t sent = 0;        // elements, to other ranks
  std::uint64_t waits = 0;       // operations that wait for other ranks
};

/// Counts those that a result or an update depends on.
GraphCost graph_cost(const Graph& graph);

}  // namespace lipizz::nn
