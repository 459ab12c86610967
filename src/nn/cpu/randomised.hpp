#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Loops over values and their random numbers.
std::span<const KernelEntry> randomised_kernels();

}  // namespace lipizz::nn
