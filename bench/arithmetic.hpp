#pragma once

#include <vector>

#include "bandwidth.hpp"
#include "nn/base/engine.hpp"
#include "nn/graph/graph.hpp"
#include "reuse_distances.hpp"

/// Operations of steps, and the memory that they move, for their floors.
namespace lipizz::bench {

/// Multiplications and additions of a graph's products of matrices and convolutions, the rest not
/// counted.
double product_flops(const nn::Graph& graph);

/// One walk over operands; the next one begins where it ends.
struct Pass {
  double products = 0;  // multiplications and additions of products
  double others = 0;    // those that take as long as its other operations do
  std::vector<Move> moves = {};
};

/// The least that the engine's algorithms ask for, pass by pass: where a convolution is filtered by
/// Winograd (nn/cpu/winograd.hpp), the products of points, and the additions and multiplications of
/// the transforms, each made once.
struct Arithmetic {
  double transforms = 0;          // all of these additions and multiplications
  std::vector<Pass> passes = {};  // of all operations

  Arithmetic& operator+=(const Arithmetic& other);

  /// Multiplications and additions of products and transforms.
  [[nodiscard]] double flops() const;
  [[nodiscard]] double bytes() const;

  /// Seconds, where each pass takes as long as what it computes or what it moves, whichever takes
  /// longer (the roofline of Williams et al. 2009). The speeds: of products in their precision, and
  /// of other operations, in single precision.
  [[nodiscard]] double roofline_s(double products_per_s, double flops_per_s,
                                  const Bandwidth& bandwidth) const;
};
Arithmetic arithmetic_of(nn::Graph graph, const nn::Engine& engine);

}  // namespace lipizz::bench
