#pragma once

#include "nn/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kDenseBlockLayer;

}  // namespace lipizz::nn
