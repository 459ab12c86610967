#pragma once

#include "nn/graph/operation.hpp"

/// What a training step writes in place: parameters, moments, statistics, averages.
namespace lipizz::nn {

extern const Operation kOptimizerStep;
extern const Operation kUpdateRunning;
extern const Operation kWeightClip;
extern const Operation kUpdateEma;

std::span<const Operation* const> updates_operations();

}  // namespace lipizz::nn
