#pragma once

#include "nn/cpu/convolution_algorithm.hpp"

namespace lipizz::nn {

/// oneDNN's own convolutions on channels-last images.
extern const ConvolutionAlgorithmKernels kOneDnnConvolution;

}  // namespace lipizz::nn
