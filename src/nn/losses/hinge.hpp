#pragma once

#include "nn/loss.hpp"

namespace lipizz::nn {

extern const Loss kHinge;

}  // namespace lipizz::nn
