#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// The operations that a step makes in place, in loops compiled for each instruction set.
std::span<const KernelEntry> updates_kernels();

}  // namespace lipizz::nn
