#pragma once

#include "nn/cpu/convolution_algorithm.hpp"

namespace lipizz::nn {

/// Convolutions as products of the points of images and weights (nn/cpu/winograd.hpp), for windows
/// that Winograd::fits().
extern const ConvolutionAlgorithmKernels kWinogradConvolution;

}  // namespace lipizz::nn
