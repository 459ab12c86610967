#pragma once

#include "nn/graph/operation.hpp"

/// Operations that ranks which compute a step together make with each other
/// (nn/base/collectives.hpp). Processors compute them; none has a derivative.
namespace lipizz::nn {

extern const Operation kAllReduce;
extern const Operation kAllGather;

std::span<const Operation* const> collective_operations();

}  // namespace lipizz::nn
