#pragma once

#include "nn/graph/operation.hpp"

/// Images in blocks of pixels: repeated, summed up, or their maxima. Each derivative is another of
/// them.
namespace lipizz::nn {

extern const Operation kUpsample;
extern const Operation kSumBlocks;
extern const Operation kMaxBlocks;
extern const Operation kPickMax;
extern const Operation kRouteMax;

std::span<const Operation* const> resampling_operations();

}  // namespace lipizz::nn
