#pragma once

#include "nn/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kConvolutionLayer;
extern const LayerKind kTransposedConvolutionLayer;

}  // namespace lipizz::nn
