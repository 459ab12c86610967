#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Matrix products (gemm) in blocks, or on oneDNN at levels below AVX-512; those with one column or
/// one inner term in loops.
std::span<const KernelEntry> products_kernels();
/// The same of factors in bf16, but for those of vectors: by oneDNN with AMX, else by ourselves.
std::span<const KernelEntry> bf16_products_kernels();

}  // namespace lipizz::nn
