#pragma once

#include "nn/base/shard.hpp"
#include "nn/graph/operation.hpp"

/// Operations that ranks which compute a step together make with each other
/// (nn/base/collectives.hpp). Processors compute them; none has a derivative.
namespace lipizz::nn {

extern const Operation kAllReduce;
extern const Operation kReduceScatter;
extern const Operation kAllGather;
extern const Operation kSend;
extern const Operation kReceive;

std::span<const Operation* const> collective_operations();

/// Gathers what other ranks have of a slot around this rank's part, which is of n elements from
/// `first` on. Parts of ranks follow each other; n may be 0.
void add_all_gather(Graph& graph, SlotId slot, std::size_t n_all, const Shard& own,
                    Collectives* collectives);

}  // namespace lipizz::nn
