#pragma once

#include "nn/network/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kConvolutionLayer;
extern const LayerKind kTransposedConvolutionLayer;

}  // namespace lipizz::nn
