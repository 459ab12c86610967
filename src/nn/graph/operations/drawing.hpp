#pragma once

#include "nn/graph/operation.hpp"

/// What a step draws for itself. None of it has a derivative. Whole numbers come as their bits
/// (nn/base/drawn_numbers.hpp).
namespace lipizz::nn {

extern const Operation kNormals;
extern const Operation kUniforms;
extern const Operation kClassesInTurn;
extern const Operation kSamples;
extern const Operation kLabels;

std::span<const Operation* const> drawing_operations();

}  // namespace lipizz::nn
