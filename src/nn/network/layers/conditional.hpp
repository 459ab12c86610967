#pragma once

#include "nn/network/layers.hpp"

namespace lipizz::nn {

extern const LayerKind kEmbeddingLayer;
extern const LayerKind kModulateLayer;

}  // namespace lipizz::nn
