#pragma once

#include "nn/network/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kAddLayer;
extern const LayerKind kConcatenateLayer;
extern const LayerKind kDotLayer;
extern const LayerKind kChannelsLayer;

}  // namespace lipizz::nn
