#pragma once

#include "nn/cpu/convolution_kernels.hpp"

namespace lipizz::nn {

/// oneDNN's own convolutions on channels-last images.
extern const ConvolutionKernels kConvolutionPrimitives;

}  // namespace lipizz::nn
