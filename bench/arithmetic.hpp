#pragma once

#include <vector>

#include "bandwidth.hpp"
#include "nn/base/engine.hpp"
#include "nn/graph/graph.hpp"

/// Operations of steps, and the memory that they move, for their floors.
namespace lipizz::bench {

/// Multiplications and additions of a graph's products of matrices and convolutions, the rest not
/// counted.
double product_flops(const nn::Graph& graph);

/// Bytes that a pass reads or writes, each once.
struct Move {
  double bytes = 0;
  double within = 0;  // bytes that have passed by since they were used before, with themselves, at
                      // least: a cache of that size may hold them still
};

/// One walk over operands.
struct Pass {
  double products = 0;  // multiplications and additions of products
  double others = 0;    // others; one that is not fused with another takes the time of two
  std::vector<Move> moves = {};
};

/// The least that the engine's algorithms ask for: where a convolution is filtered by Winograd
/// (nn/cpu/winograd.hpp), the products of points, and the additions and multiplications of the
/// transforms, each made once.
struct Arithmetic {
  double products = 0;
  double transforms = 0;
  std::vector<Pass> passes = {};  // of all operations

  Arithmetic& operator+=(const Arithmetic& other);

  [[nodiscard]] double flops() const { return products + transforms; }
  [[nodiscard]] double bytes() const;

  /// Seconds, where each pass takes as long as what it computes or what it moves, whichever takes
  /// longer (the roofline of Williams et al. 2009). The speeds: of products in their precision, and
  /// of other operations, in single precision.
  [[nodiscard]] double roofline_s(double products_per_s, double flops_per_s,
                                  const Bandwidth& bandwidth) const;
};
Arithmetic arithmetic_of(nn::Graph graph, const nn::Engine& engine);

}  // namespace lipizz::bench
