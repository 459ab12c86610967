#pragma once

#include "nn/graph/operation.hpp"

/// The operations that a training step makes in place: on parameters, moments, statistics,
/// averages.
namespace lipizz::nn {

extern const Operation kOptimizerStep;
extern const Operation kUpdateRunning;
extern const Operation kClip;
extern const Operation kSquaredLengths;
extern const Operation kClipLength;
extern const Operation kGuardedSettings;
extern const Operation kAdvanceLossScale;
extern const Operation kUpdateEma;

std::span<const Operation* const> updates_operations();

}  // namespace lipizz::nn
