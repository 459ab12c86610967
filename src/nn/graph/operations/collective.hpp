#pragma once

#include "nn/graph/operation.hpp"

/// Operations that ranks which compute a step together make with each other
/// (nn/base/collectives.hpp). Processors compute them; none has a derivative.
namespace lipizz::nn {

extern const Operation kAllReduce;
extern const Operation kAllGather;

std::span<const Operation* const> collective_operations();

/// Gathers the parts of all ranks around this rank's, which lies in the slot from `first` on and is
/// of n elements.
void add_all_gather(Graph& graph, SlotId slot, std::size_t first, std::uint32_t n,
                    Collectives* collectives);

}  // namespace lipizz::nn
