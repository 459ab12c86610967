#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Copies of channels, one row after the other.
std::span<const KernelEntry> slicing_kernels();

}  // namespace lipizz::nn
