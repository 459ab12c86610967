#pragma once

#include "nn/cpu/convolution_algorithm.hpp"

namespace lipizz::nn {

/// Convolutions by loops over the windows of a packed image (nn/cpu/direct_loops.hpp), for those
/// that is_direct() allows. Made for few channels, of groups above all, whose products are too
/// narrow for a matrix kernel.
extern const ConvolutionAlgorithmKernels kDirectConvolution;

}  // namespace lipizz::nn
