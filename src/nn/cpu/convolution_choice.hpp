#pragma once

#include "nn/base/engine.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// Chooses the algorithm of each convolution that is still kAuto: the one that the engine's table
/// has for it, or else one by its shape alone. Never by a stop-watch: algorithms give different
/// bits.
void choose_algorithms(const Engine& engine, Graph& graph);

}  // namespace lipizz::nn
