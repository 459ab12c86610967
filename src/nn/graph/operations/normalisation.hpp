#pragma once

#include "nn/graph/operation.hpp"

/// Batch normalisation, its statistics and its derivatives.
namespace lipizz::nn {

extern const Operation kStatistics;
extern const Operation kNormalise;
extern const Operation kNormaliseSums;
extern const Operation kNormaliseGradient;
extern const Operation kNormaliseSecondDerivative;

std::span<const Operation* const> normalisation_operations();

}  // namespace lipizz::nn
