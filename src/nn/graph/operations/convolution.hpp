#pragma once

#include "nn/graph/operation.hpp"

/// Convolutions: the forward convolution; the transposed one, which is also the input gradient
/// (dgrad, backward by data); and the weight gradient (wgrad, backward by weights). The three are
/// each other's derivatives: each is linear in both of its inputs.
///
/// The engines' kernels are in nn/cpu/convolution.hpp, with the algorithm that
/// nn/cpu/convolution_choice.hpp names, and in nn/cuda/convolution.hpp.
namespace lipizz::nn {

extern const Operation kConvolution;
extern const Operation kTransposedConvolution;
extern const Operation kConvolutionWeightGradient;

std::span<const Operation* const> convolution_operations();

}  // namespace lipizz::nn
