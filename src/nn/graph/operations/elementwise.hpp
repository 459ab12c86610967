#pragma once

#include "nn/graph/operation.hpp"

/// Activations and sums, element by element.
namespace lipizz::nn {

extern const Operation kActivation;
extern const Operation kActivationGradient;
extern const Operation kActivationSecondDerivative;
extern const Operation kAdd;
extern const Operation kScaleBy;

std::span<const Operation* const> elementwise_operations();

}  // namespace lipizz::nn
