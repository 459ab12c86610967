#pragma once

#include "nn/graph/operation.hpp"

/// Operations that are handed uniform random numbers in [0, 1).
namespace lipizz::nn {

extern const Operation kDropout;
extern const Operation kInterpolate;
extern const Operation kPerturb;

std::span<const Operation* const> randomised_operations();

}  // namespace lipizz::nn
