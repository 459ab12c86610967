#pragma once

#include "nn/graph/operation.hpp"

/// Spectral normalisation (nn/base/spectral.hpp).
namespace lipizz::nn {

extern const Operation kPowerIteration;
extern const Operation kSpectralScale;
extern const Operation kSpectralScaleGradient;

std::span<const Operation* const> spectral_operations();

}  // namespace lipizz::nn
