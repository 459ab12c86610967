#pragma once

#include <cstddef>

#include "nn/base/activation.hpp"
#include "nn/cpu/bf16_packing.hpp"

namespace lipizz::nn {

/// c = activation(a b + bias), or c += a b. A factor that is transposed lies in memory as the other
/// comment says.
struct ProductSpec {
  std::size_t rows, columns, terms;
  bool transpose_a = false;  // [terms, rows], else [rows, terms]
  bool transpose_b = false;  // [columns, terms], else [terms, columns]
  bool has_bias = false;     // [columns]
  Activation activation = Activation::kNone;
  bool adds = false;         // to what c is; then without bias and activation
  bool is_b_packed = false;  // in bf16: by Bf16Product::pack_b(); in single precision it never is
  // Floats between the end of each row of a, b and c as they lie in memory and the next; none where
  // factors are in bf16, or an activation follows.
  std::size_t gap = 0;
  // A factor is numbers in bf16 already, for Bf16Product alone; as b is, so is what pack_b() gets.
  bool is_a_rounded = false;
  bool is_b_rounded = false;
};

/// A product whose factors are rounded to bf16, everything else in single precision. Written for
/// AVX-512's instruction that adds products of pairs (nn/cpu/numerics.hpp), in the order that its
/// makers define: every result adds up its inner terms in pairs from the first to the last, and of
/// each pair the second term before the first, beginning with the bias or with c. Factors are
/// rounded and packed in blocks that stay in the second cache; rows that are in bf16 already, of an
/// even number of terms, are read where they lie.
class Bf16Product {
 public:
  /// Floats of workspace that no product exceeds.
  static const std::size_t kMostWorkspace;

  explicit Bf16Product(const ProductSpec& spec) : spec_(spec) {}

  /// Floats of workspace that a run needs.
  [[nodiscard]] std::size_t n_workspace() const;

  /// a, b, c as the specification says; bias is null where it has none.
  void run(const float* a, const float* b, const float* bias, float* c, float* workspace) const;

  /// Floats that pack_b() writes of a second factor [terms, columns].
  static std::size_t n_packed_b(std::size_t terms, std::size_t columns) {
    return n_pairs(terms) * in_whole_vectors(columns);
  }
  /// Packs a second factor for several runs, where the specification says so. Numbers in bf16 are
  /// given as the floats whose place they take, here and to run().
  void pack_b(const float* b, float* packed) const;

 private:
  [[nodiscard]] std::size_t n_block_of_a() const;
  [[nodiscard]] std::size_t n_block_of_b() const;

  ProductSpec spec_;
};

}  // namespace lipizz::nn
