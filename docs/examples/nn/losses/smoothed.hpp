#pragma once

#include "nn/loss.hpp"

namespace lipizz::nn {

extern const Loss kSmoothed;

}  // namespace lipizz::nn
