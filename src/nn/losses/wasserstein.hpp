#pragma once

#include "nn/loss.hpp"

namespace lipizz::nn {

extern const Loss kWasserstein;

}  // namespace lipizz::nn
