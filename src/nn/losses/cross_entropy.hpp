#pragma once

#include "nn/loss.hpp"

namespace lipizz::nn {

extern const Loss kBce;
extern const Loss kMinimax;
extern const Loss kHeuristic;

}  // namespace lipizz::nn
