#pragma once

#include "nn/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kLinearLayer;

}  // namespace lipizz::nn
