#pragma once

#include "nn/cpu/convolution_algorithm.hpp"

namespace lipizz::nn {

/// Convolutions by Winograd's filtering of groups (nn/cpu/winograd_loops.hpp), for those that
/// is_grouped_winograd() allows.
extern const ConvolutionAlgorithmKernels kGroupedWinograd;

}  // namespace lipizz::nn
