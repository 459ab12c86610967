#pragma once

#include <span>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Batch normalisation, channels in lanes.
std::span<const KernelEntry> normalisation_kernels();

/// A loop over rows (nn/cpu/normalisation_derivative.cpp).
std::unique_ptr<Kernel<float>> make_normalise_second_derivative(const Graph& graph, ValueId value);

}  // namespace lipizz::nn
