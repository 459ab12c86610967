#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Values of 16 bits.
std::span<const KernelEntry> rounding_kernels();

}  // namespace lipizz::nn
