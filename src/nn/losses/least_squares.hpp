#pragma once

#include "nn/loss.hpp"

namespace lipizz::nn {

extern const Loss kMse;
extern const Loss kLsgan;

}  // namespace lipizz::nn
