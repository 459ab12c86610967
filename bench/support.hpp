#pragma once

#include "nn/base/engine.hpp"
#include "nn/graph/graph.hpp"

/// What benchmarks of training steps have in common.
namespace lipizz::bench {

/// The fast engine of this build, its numerics fixed.
nn::Engine fastest_engine();

/// Multiplications and additions of a graph's products, the rest not counted.
double product_flops(const nn::Graph& graph);

}  // namespace lipizz::bench
