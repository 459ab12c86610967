#pragma once

#include "nn/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kBatchNormLayer;

}  // namespace lipizz::nn
