#pragma once

#include <cstddef>
#include <vector>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// Where a plan's intermediate values lie in one block of memory: two whose lifetimes overlap never
/// share memory, others do. Where its operation lets it, a result lies in place of an input that is
/// read for the last time.
struct MemoryPlan {
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  std::vector<std::size_t>
      offsets;  // per node, elements; kNowhere for parts, and values that lie elsewhere
  std::size_t n_elements = 0;  // of the block
};

/// Greedy by size (Pisarchyk and Lee 2020): the largest first, each at the lowest place that is
/// free as long as it is needed; `alignment` in elements. For operations one after the other.
MemoryPlan plan_memory(const Graph& graph, std::size_t alignment);

/// The same for branches that may run at the same time (Graph::set_branch), each with a block of
/// its own: of the values of one branch, or of the trunk, before branches and after the join.
MemoryPlan plan_memory_of(const Graph& graph, std::uint32_t branch, std::size_t alignment);

}  // namespace lipizz::nn
