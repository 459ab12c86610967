#pragma once

#include "nn/graph/operation.hpp"

/// The operations that draw a step's random numbers, classes and samples. None has a derivative.
/// Whole numbers come as their bits (nn/base/drawn_numbers.hpp).
namespace lipizz::nn {

extern const Operation kNormals;
extern const Operation kUniforms;
extern const Operation kClassesInTurn;
extern const Operation kSamples;
extern const Operation kLabels;

std::span<const Operation* const> drawing_operations();

}  // namespace lipizz::nn
