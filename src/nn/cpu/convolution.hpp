#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Convolutions by the algorithm that the node names: im2col, kn2row, Winograd's,
/// direct loops, or oneDNN's own.
std::span<const KernelEntry> convolution_kernels();
/// The same with products of factors in bf16, where the algorithm has products of matrices.
std::span<const KernelEntry> bf16_convolution_kernels();

}  // namespace lipizz::nn
