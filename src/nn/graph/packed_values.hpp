#pragma once

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// Keeps values of 16 bits (nn/graph/mixed_precision.hpp) in half the memory between operations
/// that look at them, above all from the forward pass to the backward one: those that lie across
/// the moment at which most memory is needed, as long as that helps. Changes no bit.
Graph with_packed_values(const Graph& graph);

}  // namespace lipizz::nn
