#pragma once

#include "nn/network/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kBatchNormLayer;
extern const LayerKind kInstanceNormLayer;
extern const LayerKind kLayerNormLayer;

}  // namespace lipizz::nn
