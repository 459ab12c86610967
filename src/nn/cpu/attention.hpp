#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Softmax, one row after the other.
std::span<const KernelEntry> attention_kernels();

}  // namespace lipizz::nn
