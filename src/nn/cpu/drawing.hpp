#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// What a step draws, a row of numbers at once.
std::span<const KernelEntry> drawing_kernels();

}  // namespace lipizz::nn
