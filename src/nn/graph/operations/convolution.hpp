#pragma once

#include "nn/graph/operation.hpp"

/// Convolutions. The three are each other's derivatives: each is linear in both of its inputs.
namespace lipizz::nn {

extern const Operation kConvolution;
extern const Operation kTransposedConvolution;
extern const Operation kConvolutionWeightGradient;

std::span<const Operation* const> convolution_operations();

}  // namespace lipizz::nn
