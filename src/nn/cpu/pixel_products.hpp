#pragma once

#include "nn/cpu/convolution_kernels.hpp"

namespace lipizz::nn {

/// Convolutions as sums of products, one for each pixel of the window: its weights [C, O] stay in
/// the cache while many places go by.
extern const ConvolutionKernels kPixelProducts;

}  // namespace lipizz::nn
