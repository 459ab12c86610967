#pragma once

#include "nn/graph/operation.hpp"

/// Parts of values, and values joined. Each derivative is another of them.
namespace lipizz::nn {

extern const Operation kSlice;
extern const Operation kConcatenate;
extern const Operation kSliceChannels;
extern const Operation kPadChannels;

std::span<const Operation* const> slicing_operations();

}  // namespace lipizz::nn
