#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nn/base/collectives.hpp"
#include "nn/base/shard.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// Parameters of which each rank holds its shard (shard_of) of the first `n`, and all that lies
/// behind them. `buckets`: those that are gathered together, all of them in their order; no tensor
/// lies in two.
struct ShardedParameters {
  SlotId slot;
  std::size_t n;
  std::vector<Shard> buckets;
};

/// The same computation where parameters are sharded (ZeRO's stage 3; Rajbhandari et al. 2020): a
/// bucket is gathered from all ranks before it is read, and given up behind that, so that a
/// backward pass gathers it once more. Updates look at the shard alone, and come behind all that
/// reads what they update. All ranks have the same graph but for values of their own.
Graph with_gathered_parameters(const Graph& graph, std::span<const ShardedParameters> sharded,
                               Collectives& ranks);

}  // namespace lipizz::nn
