#pragma once

#include <memory>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

/// Spectral normalisation (nn/base/spectral.hpp) in loops of single precision over the weights'
/// rows: each step reads them as often as the definition says, sixteen at a time.
std::unique_ptr<Kernel<float>> make_power_iteration(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_spectral_scale(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_spectral_scale_gradient(const Graph& graph, ValueId value);

}  // namespace lipizz::nn
