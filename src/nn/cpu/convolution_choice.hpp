#pragma once

#include "nn/base/engine.hpp"
#include "nn/graph/convolution.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// True where the algorithm computes such a convolution itself. A node that names another one is
/// computed by im2col, or, where it has groups, by oneDNN's primitive.
bool fits(ConvolutionAlgorithm algorithm, const Operation& operation,
          const ConvolutionShape& shape);

/// Chooses the algorithm of each convolution that is still kAuto: the one that the engine's table
/// has for it, or else one by its shape alone. Never by a stop-watch: algorithms give different
/// bits.
void choose_algorithms(const Engine& engine, Graph& graph);

}  // namespace lipizz::nn
