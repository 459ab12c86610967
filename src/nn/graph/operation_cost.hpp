#pragma once

#include <cstdint>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// About how long an operation takes, in multiplications and additions: those that it makes or,
/// where reading its inputs and writing its result takes longer, as many as a core makes in that
/// time (the roofline of Williams et al. 2009, of a machine like those that we have seen). Tensors
/// in slots are read once for many rows, and not counted. For schedules, which no bit depends on.
std::uint64_t operation_cost(const Graph& graph, ValueId operation);

}  // namespace lipizz::nn
