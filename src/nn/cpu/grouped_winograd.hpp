#pragma once

#include "nn/cpu/convolution_algorithm.hpp"

namespace lipizz::nn {

/// Convolutions of groups by Winograd's filtering (nn/cpu/winograd_loops.hpp), for 3x3 windows that
/// is_direct() allows.
extern const ConvolutionAlgorithmKernels kGroupedWinograd;

}  // namespace lipizz::nn
