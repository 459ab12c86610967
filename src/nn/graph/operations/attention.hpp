#pragma once

#include "nn/graph/operation.hpp"

/// Softmax.
namespace lipizz::nn {

extern const Operation kSoftmax;
extern const Operation kSoftmaxGradient;

std::span<const Operation* const> attention_operations();

}  // namespace lipizz::nn
