#pragma once

#include <cstddef>
#include <cstdint>

#include "nn/activation.hpp"

namespace lipizz::nn {

/// A matrix in memory, row-major, or read by columns when `is_transposed`.
struct MatrixView {
  const float* data;
  std::uint32_t stride;  // elements between stored rows
  bool is_transposed;
};

struct GemmShape {
  std::uint32_t m;
  std::uint32_t n;
  std::uint32_t k;
};

/// Floats of scratch memory, aligned to 64 bytes.
inline constexpr std::size_t kGemmScratch = 272 * 32;

/// c = activation(a b + bias), for machines with AVX-512. a: [m, k] and c: [m, n] row-major without
/// gaps, b: [k, n], bias: [n] or null. Activations are kNone, kRelu and kLeakyRelu, applied while c
/// is in registers.
///
/// Beats oneDNN's matmul on the forward and data-gradient products of a GAN step (bench/README.md),
/// because a panel of b is packed into the first-level cache just before it is used, and the next
/// one is fetched meanwhile. Each element is summed over k in one order, so its bits do not depend
/// on m, n or its place.
void gemm_avx512(const GemmShape& shape, const float* a, const MatrixView& b, const float* bias,
                 Activation activation, float* c, float* scratch);

}  // namespace lipizz::nn
