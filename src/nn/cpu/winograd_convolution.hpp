#pragma once

#include "nn/cpu/convolution_algorithm.hpp"

namespace lipizz::nn {

/// Convolutions as products of the points of images and weights (nn/cpu/winograd.hpp), for windows
/// that Winograd::fits(): in tiles of 2x2 positions and of 4x4.
extern const ConvolutionAlgorithmKernels kWinogradConvolution;
extern const ConvolutionAlgorithmKernels kWinograd4Convolution;

}  // namespace lipizz::nn
