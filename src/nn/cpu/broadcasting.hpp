#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Products by channel and sums over rows: sums are taken in double, rows in order.
std::span<const KernelEntry> broadcasting_kernels();

}  // namespace lipizz::nn
