#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Matrix products (gemm) in blocks where there are steps (nn/cpu/panel_packing.hpp), else on
/// oneDNN; those with one column or one inner term in loops.
std::span<const KernelEntry> products_kernels();
/// The same of factors in bf16, but for those of vectors: by oneDNN with AMX, else by ourselves.
std::span<const KernelEntry> bf16_products_kernels();

}  // namespace lipizz::nn
