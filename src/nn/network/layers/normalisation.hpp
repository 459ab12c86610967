#pragma once

#include "nn/network/layers.hpp"

namespace lipizz::nn {

/// All norms add it to a variance.
inline constexpr float kNormEpsilon = 1e-5f;

extern const LayerKind kBatchNormLayer;
extern const LayerKind kInstanceNormLayer;
extern const LayerKind kLayerNormLayer;

}  // namespace lipizz::nn
