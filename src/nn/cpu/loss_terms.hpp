#pragma once

#include <cstdint>

#include "nn/base/loss.hpp"

/// Loops over the terms of losses: a few hundred numbers per step. Sums are taken in double in row
/// order.
namespace lipizz::nn {

/// logits: whatever can be indexed.
template <class Logits>
float mean_value(const Loss::Term& term, const Logits& logits, std::uint32_t n) {
  double sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) sum += static_cast<double>(term.value(logits[i]));
  return static_cast<float>(sum / n);
}

template <class Logits>
void mean_slope(const Loss::Term& term, const Logits& logits, std::uint32_t n, float* out) {
  for (std::uint32_t i = 0; i < n; ++i) out[i] = term.slope(logits[i]) / static_cast<float>(n);
}

}  // namespace lipizz::nn
