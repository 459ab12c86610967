#pragma once

#include "nn/base/shard.hpp"
#include "nn/graph/operation.hpp"

/// Operations that ranks which compute a step together make with each other
/// (nn/base/collectives.hpp). Processors compute them; none has a derivative.
namespace lipizz::nn {

extern const Operation kAllReduce;
extern const Operation kReduceScatter;
extern const Operation kAllGather;
extern const Operation kGatherParts;
extern const Operation kSendGradients;
extern const Operation kAddGradients;
extern const Operation kGatherShards;
extern const Operation kSend;
extern const Operation kReceive;

std::span<const Operation* const> collective_operations();

/// Gathers what other ranks have of a range of a slot around this rank's part of it, which may be
/// empty. Parts of ranks follow each other.
void add_all_gather(Graph& graph, SlotId slot, const Shard& all, const Shard& own,
                    Collectives* collectives);
/// Joins n numbers of each of a batch's parts, which are dealt out to ranks in turn: from those of
/// this rank's parts [k, n] those of all [n_parts, n], in the order of parts.
ValueId add_gather_parts(Graph& graph, ValueId own, std::uint32_t n_parts,
                         Collectives* collectives);

}  // namespace lipizz::nn
