#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// The operations that draw a step's random numbers and samples, a row at once.
std::span<const KernelEntry> drawing_kernels();

}  // namespace lipizz::nn
