#pragma once

#include "nn/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kSelfAttentionLayer;

}  // namespace lipizz::nn
