#include "nn/base/optimizer_squares.hpp"

#include "nn/base/optimizer_table.hpp"

namespace lipizz::nn {

std::uint32_t n_squares(OptimizerId kind) {
  std::uint32_t n = 0;
  with_optimizer(kind, [&](auto row) { n = row.kNSquares; });
  return n;
}

}  // namespace lipizz::nn
