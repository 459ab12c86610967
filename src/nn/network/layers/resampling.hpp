#pragma once

#include "nn/network/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kUpsampleLayer;
extern const LayerKind kAveragePoolLayer;
extern const LayerKind kSumPoolLayer;
extern const LayerKind kMaxPoolLayer;

}  // namespace lipizz::nn
