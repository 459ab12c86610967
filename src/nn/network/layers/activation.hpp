#pragma once

#include "nn/network/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kActivationLayer;
extern const LayerKind kReshapeLayer;

}  // namespace lipizz::nn
