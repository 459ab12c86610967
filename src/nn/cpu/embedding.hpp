#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Rows of a table, copied and added up.
std::span<const KernelEntry> embedding_kernels();

}  // namespace lipizz::nn
