#pragma once

#include "nn/base/engine.hpp"
#include "nn/graph/graph.hpp"

/// Multiplications and additions of steps, for their floors.
namespace lipizz::bench {

/// Multiplications and additions of a graph's products of matrices and convolutions, the rest not
/// counted.
double product_flops(const nn::Graph& graph);

/// The least that the engine's algorithms ask for: where a convolution is filtered by Winograd
/// (nn/cpu/winograd.hpp), the products of points, and the additions and multiplications of the
/// transforms, each made once.
struct Arithmetic {
  double products = 0;
  double transforms = 0;

  [[nodiscard]] double flops() const { return products + transforms; }
};
Arithmetic arithmetic_of(nn::Graph graph, const nn::Engine& engine);

}  // namespace lipizz::bench
