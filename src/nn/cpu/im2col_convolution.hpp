#pragma once

#include "nn/cpu/convolution_algorithm.hpp"

namespace lipizz::nn {

/// Convolutions as products (gemm) of unfolded windows.
extern const ConvolutionAlgorithmKernels kIm2colConvolution;

}  // namespace lipizz::nn
