#pragma once

#include "nn/cpu/convolution.hpp"
#include "nn/operations.hpp"

namespace lipizz::nn {

/// The way to compute one of the three convolutions, by its shape alone: the two ways give
/// different bits, so it is never chosen by a stop-watch. bench/convolutions.cpp measures both.
ConvolutionWay choose_way(const Operation& operation, const ConvolutionShape& shape);

}  // namespace lipizz::nn
