#pragma once

#include "nn/cpu/convolution_algorithm.hpp"

namespace lipizz::nn {

/// Convolutions as sums of products (kn2row), one for each tap of the kernel: its weights [C, O]
/// stay in the cache while many output positions go by.
extern const ConvolutionAlgorithmKernels kKn2rowConvolution;

}  // namespace lipizz::nn
