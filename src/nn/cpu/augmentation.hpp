#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Loops over the images that are changed.
std::span<const KernelEntry> augmentation_kernels();

}  // namespace lipizz::nn
