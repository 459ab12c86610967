#pragma once

#include "nn/base/engine.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// Settles the way of each convolution that is still to be chosen: the one that the engine's table
/// has for it, or else one by its shape alone. Never by a stop-watch: the ways give different
/// bits.
void choose_ways(const Engine& engine, Graph& graph);

}  // namespace lipizz::nn
