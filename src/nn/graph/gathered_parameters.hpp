#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nn/base/collectives.hpp"
#include "nn/base/shard.hpp"
#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// Parameters of which each rank holds a part. `buckets`: those that are gathered together, in
/// their order, and what this rank holds of them, before what ranks behind it do; no tensor lies in
/// two. Each rank holds all that it reads of what is in no bucket.
struct ShardedParameters {
  SlotId slot;
  std::vector<SharedRange> buckets;
};

/// The same computation where parameters are sharded (ZeRO's stage 3; Rajbhandari et al. 2020): a
/// bucket is gathered from all ranks before it is read, and given up behind that, so that a
/// backward pass gathers it once more, and so does each branch. Updates look at the shard alone,
/// and come behind all that reads what they update. All ranks have the same graph but for values of
/// their own.
Graph with_gathered_parameters(const Graph& graph, std::span<const ShardedParameters> sharded,
                               Collectives& ranks);

}  // namespace lipizz::nn
