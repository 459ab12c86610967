#pragma once

#include "nn/network/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kDropoutLayer;

}  // namespace lipizz::nn
