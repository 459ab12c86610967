#pragma once

#include <cstddef>
#include <variant>

#include "nn/base/precision.hpp"
#include "nn/cpu/bf16_product.hpp"
#include "nn/cpu/onednn_primitives.hpp"

namespace lipizz::nn {

/// A product by oneDNN whose factors are rounded to bf16 in workspace.
class RoundedProduct {
 public:
  /// dnnl::error where oneDNN has no such product.
  explicit RoundedProduct(const ProductSpec& spec);

  /// Floats of workspace that a run needs, of factors of so many elements.
  static std::size_t n_workspace(std::size_t n_a, std::size_t n_b);
  [[nodiscard]] std::size_t n_workspace() const { return n_workspace(n_a_, n_b_); }

  void run(const float* a, const float* b, const float* bias, float* c, float* workspace);

 private:
  std::size_t n_a_, n_b_;
  Product product_;
};

/// A product in single precision, or with factors in bf16: by pairs at NumericsLevel::kAvx512Bf16,
/// else by oneDNN where that has such a product.
class MatrixProduct {
 public:
  MatrixProduct(const ProductSpec& spec, Precision precision);

  /// Floats of workspace that a run needs.
  [[nodiscard]] std::size_t n_workspace() const;
  /// Those that it needs at most, whatever level this process will have.
  static std::size_t most_workspace(const ProductSpec& spec, Precision precision);

  /// True where products in bf16 are those of pairs in this process.
  static bool is_of_pairs();

  /// The second factor as a specification with `is_b_packed` has it: packed there where it is a
  /// product of pairs, else b.
  const float* packed_b(const float* b, float* packed) const;

  void run(const float* a, const float* b, const float* bias, float* c, float* workspace);

 private:
  std::variant<Product, RoundedProduct, Bf16Product> product_;
};

}  // namespace lipizz::nn
