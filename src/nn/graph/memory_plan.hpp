#pragma once

#include <cstddef>
#include <vector>

#include "nn/graph/graph.hpp"

namespace lipizz::nn {

/// Where a plan's intermediate values lie in one block of memory: two whose lifetimes overlap never
/// share memory, others do.
struct MemoryPlan {
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  std::vector<std::size_t>
      offsets;  // per node, elements; kNowhere for parts, and values that lie elsewhere
  std::size_t n_elements = 0;  // of the block
};

/// First fit in execution order; `alignment` in elements.
MemoryPlan plan_memory(const Graph& graph, std::size_t alignment);

}  // namespace lipizz::nn
