#pragma once

#include "nn/loss.hpp"

namespace lipizz::nn {

extern const Loss kBce;
extern const Loss kMinimax;
extern const Loss kHeuristic;
extern const Loss kPix2pixLoss;

}  // namespace lipizz::nn
