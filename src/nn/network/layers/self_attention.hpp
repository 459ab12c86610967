#pragma once

#include "nn/network/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kSelfAttentionLayer;

}  // namespace lipizz::nn
