#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// The losses of a GAN's two networks, in loops over the logits.
std::span<const KernelEntry> adversarial_kernels();

}  // namespace lipizz::nn
