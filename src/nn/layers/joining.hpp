#pragma once

#include "nn/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kAddLayer;
extern const LayerKind kConcatenateLayer;

}  // namespace lipizz::nn
