#pragma once

#include <cstddef>
#include <variant>

#include "nn/base/precision.hpp"
#include "nn/cpu/bf16_product.hpp"
#include "nn/cpu/onednn_primitives.hpp"

namespace lipizz::nn {

/// A product of matrices in single precision, or with factors in bf16 where this process multiplies
/// pairs of them (NumericsLevel::kAvx512Bf16).
class MatrixProduct {
 public:
  MatrixProduct(const ProductSpec& spec, Precision precision);

  /// The second factor as a specification with `is_b_packed` has it: packed there where pairs are
  /// multiplied, else b.
  const float* packed_b(const float* b, float* packed) const;

  /// workspace: [Bf16Product::kMostWorkspace] where pairs are multiplied, else unused
  void run(const float* a, const float* b, const float* bias, float* c, float* workspace);

 private:
  std::variant<Product, Bf16Product> product_;
};

}  // namespace lipizz::nn
