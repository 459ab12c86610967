#pragma once

#include "nn/cpu/convolution_algorithm.hpp"

namespace lipizz::nn {

/// Convolutions by loops over the windows of a packed image (nn/cpu/direct_loops.hpp), for those
/// that is_direct() allows. Made for few channels, of groups above all, whose products are too
/// narrow for a matrix kernel. The weight gradient of plain windows is a rank update, of any number
/// of channels (nn/cpu/rank_update.hpp).
extern const ConvolutionAlgorithmKernels kDirectConvolution;

}  // namespace lipizz::nn
