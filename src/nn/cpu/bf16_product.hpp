#pragma once

#include <cstddef>

#include "nn/base/activation.hpp"
#include "nn/cpu/bf16_packing.hpp"

namespace lipizz::nn {

/// c = activation(a b + bias), the factors rounded to bf16, in single precision otherwise. Written
/// for AVX-512's instruction that adds products of pairs (nn/cpu/numerics.hpp), in the order that
/// its makers define: every result adds up its inner terms in pairs from the first to the last, and
/// of each pair the second term before the first, beginning with the bias. Factors are rounded and
/// packed in blocks that stay in the second cache.
class Bf16Product {
 public:
  struct Sizes {
    std::size_t rows, columns, terms;
    bool transpose_a = false;  // a lies as [terms, rows], else [rows, terms]
    bool transpose_b = false;  // b lies as [columns, terms], else [terms, columns]
  };

  Bf16Product(const Sizes& sizes, Activation activation);

  /// Floats of workspace that a run needs.
  [[nodiscard]] std::size_t n_workspace() const;

  /// bias: [columns] or null; c: [rows, columns]
  void run(const float* a, const float* b, const float* bias, float* c, float* workspace) const;

 private:
  struct Block;

  [[nodiscard]] std::size_t n_packed_a() const;
  [[nodiscard]] std::size_t n_packed_b() const;
  [[nodiscard]] bool packs_b_once() const;
  void run_rows(const Block& block) const;

  Sizes sizes_;
  Activation activation_;
};

}  // namespace lipizz::nn
