#pragma once

#include "nn/cpu/convolution_kernels.hpp"

namespace lipizz::nn {

/// Convolutions as products of gathered windows.
extern const ConvolutionKernels kWindowProducts;

}  // namespace lipizz::nn
