#pragma once

#include "nn/cpu/convolution_kernels.hpp"

namespace lipizz::nn {

/// Convolutions as products of the points of images and weights (nn/cpu/winograd.hpp), for windows
/// that Winograd::fits().
extern const ConvolutionKernels kWinogradProducts;

}  // namespace lipizz::nn
