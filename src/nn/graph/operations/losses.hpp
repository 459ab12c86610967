#pragma once

#include "nn/graph/operation.hpp"

/// Losses beside the adversarial ones: a classifier's, of pairs, and gradient penalties.
namespace lipizz::nn {

extern const Operation kCrossEntropy;
extern const Operation kCrossEntropyGradient;
extern const Operation kPenalty;
extern const Operation kPenaltyGradient;
extern const Operation kAbsoluteError;
extern const Operation kAbsoluteErrorGradient;

std::span<const Operation* const> losses_operations();

}  // namespace lipizz::nn
