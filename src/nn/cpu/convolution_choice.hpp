#pragma once

#include "nn/base/engine.hpp"
#include "nn/graph/convolution.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// True where the algorithm computes such a convolution itself. A node that names another one is
/// computed by im2col, or, where it has groups, by oneDNN's primitive.
bool fits(ConvolutionAlgorithm algorithm, const Operation& operation,
          const ConvolutionShape& shape);

/// The level at which the engine computes convolutions, which tables know them by: in bf16 pairs of
/// products alone, since those of AMX are not used for convolutions.
NumericsLevel convolution_level(const Engine& engine);

/// Chooses the algorithm of each convolution that is still kAuto: the one that the engine's table
/// has for it, or else one by its shape alone. Never by a stop-watch: algorithms give different
/// bits.
void choose_algorithms(const Engine& engine, Graph& graph);

}  // namespace lipizz::nn
