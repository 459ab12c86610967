#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// The other losses, in loops over rows: sums are taken in double, rows in order.
std::span<const KernelEntry> losses_kernels();

}  // namespace lipizz::nn
