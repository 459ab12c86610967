#pragma once

#include "nn/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kDropoutLayer;

}  // namespace lipizz::nn
