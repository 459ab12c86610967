#pragma once

#include "nn/graph/operation.hpp"

/// The losses of a GAN's two networks (nn/base/loss.hpp).
namespace lipizz::nn {

extern const Operation kGeneratorLoss;
extern const Operation kGeneratorLossGradient;
extern const Operation kDiscriminatorLoss;
extern const Operation kDiscriminatorLossGradient;

std::span<const Operation* const> adversarial_operations();

}  // namespace lipizz::nn
