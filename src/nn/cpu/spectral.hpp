#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Spectral normalisation (nn/base/spectral.hpp) in loops of single precision over the weights'
/// rows: each step reads them as often as the definition says, sixteen at a time.
std::span<const KernelEntry> spectral_kernels();

}  // namespace lipizz::nn
