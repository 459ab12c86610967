#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Loops over blocks of pixels.
std::span<const KernelEntry> resampling_kernels();

}  // namespace lipizz::nn
