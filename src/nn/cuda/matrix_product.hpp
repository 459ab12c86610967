#pragma once

#include <cstddef>
#include <cstdint>

#include "nn/cuda/operands.hpp"

namespace lipizz::nn::cuda {

/// Where the matrices of a product lie, row by row, in one of its operands.
struct Matrix {
  static constexpr std::uint32_t kResult = ~0U;
  static constexpr std::uint32_t kWorkspace = kResult - 1;
  static constexpr std::uint32_t kPartials = kResult - 2;

  std::uint32_t operand;  // the first or second input, or one of these
  std::uint32_t row;      // elements from one row to the next
  std::size_t first = 0;  // element
  std::size_t next = 0;   // elements from one matrix to the next
  std::size_t next_slice = 0;

  [[nodiscard]] constexpr float* begin(const Operands& o, std::size_t which,
                                       std::size_t slice = 0) const {
    return memory(o) + first + which * next + slice * next_slice;
  }

 private:
  [[nodiscard]] constexpr float* memory(const Operands& o) const {
    switch (operand) {
      case kResult:
        return o.out();
      case kWorkspace:
        return o.workspace;
      case kPartials:
        return o.partials;
      default:
        return operand == 0 ? o.in(0) : o.in(1);
    }
  }
};

/// y [rows, columns] = a b over `inner`, each stored as its transpose where it says so; `n` of
/// them. The sum is added to y where it says that.
struct MatrixProduct {
  Matrix a, b, y;
  std::uint32_t rows, columns, inner;
  bool transpose_a = false;
  bool transpose_b = false;
  std::uint32_t n = 1;
  bool adds = false;
};

/// A product of the first two inputs, whose matrices lie without gaps as the result's do.
constexpr MatrixProduct dense_product(std::uint32_t rows, std::uint32_t columns,
                                      std::uint32_t inner, bool transpose_a = false,
                                      bool transpose_b = false, std::uint32_t n = 1) {
  return {.a = {0, transpose_a ? rows : inner, 0, std::size_t{rows} * inner},
          .b = {1, transpose_b ? inner : columns, 0, std::size_t{inner} * columns},
          .y = {Matrix::kResult, columns, 0, std::size_t{rows} * columns},
          .rows = rows,
          .columns = columns,
          .inner = inner,
          .transpose_a = transpose_a,
          .transpose_b = transpose_b,
          .n = n};
}

}  // namespace lipizz::nn::cuda
