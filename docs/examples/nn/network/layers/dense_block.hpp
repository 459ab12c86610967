#pragma once

#include "nn/network/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kDenseBlockLayer;

}  // namespace lipizz::nn
