#pragma once

#include "nn/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kActivationLayer;
extern const LayerKind kReshapeLayer;

}  // namespace lipizz::nn
