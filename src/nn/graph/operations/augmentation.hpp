#pragma once

#include "nn/graph/operation.hpp"

/// Differentiable augmentation (nn/base/augmentation.hpp).
namespace lipizz::nn {

extern const Operation kAugment;
extern const Operation kAugmentGradient;

std::span<const Operation* const> augmentation_operations();

}  // namespace lipizz::nn
