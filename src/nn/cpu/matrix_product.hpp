#pragma once

#include <cstddef>
#include <variant>

#include "nn/base/engine.hpp"
#include "nn/cpu/blocked_product.hpp"
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

/// A product in single precision, or with factors in bf16: in blocks where this level has their
/// steps, else by oneDNN where that has such a product.
class MatrixProduct {
 public:
  /// At the level of this process.
  MatrixProduct(const ProductSpec& spec, Precision precision);

  /// Floats of workspace that a run needs.
  [[nodiscard]] std::size_t n_workspace() const;
  /// Those that it needs at a level.
  static std::size_t n_workspace(const ProductSpec& spec, NumericsLevel level, Precision precision);

  /// True where the second factor is given packed: that of a product in blocks in bf16 whose
  /// specification says so.
  [[nodiscard]] bool is_b_packed() const;
  /// Then as BlockedProduct::pack_b().
  void pack_b(const float* rows, std::size_t first, std::size_t n, float* packed,
              bool past_caches) const;

  void run(const float* a, const float* b, const float* bias, float* c, float* workspace);

 private:
  std::variant<Product, RoundedProduct, BlockedProduct> product_;
};

}  // namespace lipizz::nn
