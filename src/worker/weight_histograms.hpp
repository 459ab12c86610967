#pragma once

#include <vector>

#include "coev/genome.hpp"
#include "comm/messages.hpp"
#include "nn/network/models.hpp"

namespace lipizz::worker {

/// How the weights of a cell's networks are spread, tensor by tensor, under names such as
/// `generator/0.weight`: of what an optimizer changes, without running statistics. Under 300 bytes
/// of a message for each tensor, and two passes over all weights.
std::vector<comm::TaskDone::Weights> weight_histograms(const coev::Pair& pair,
                                                       const nn::GanSpec& model);

}  // namespace lipizz::worker
