#include "nn/graph/memory_plan.hpp"

#include <algorithm>

namespace lipizz::nn {
namespace {

struct Block {
  std::size_t begin;
  std::size_t end;
  std::uint32_t last_use;
};

std::vector<std::uint32_t> last_uses(const Graph& graph, const std::vector<ValueId>& live) {
  std::vector<std::uint32_t> last(graph.nodes().size(), 0);
  for (const ValueId value : live) {
    for (const ValueId input : graph.node(value).inputs) {
      last[graph.storage(input).owner.index] = value.index;
    }
  }
  return last;
}

// `blocks` is sorted by begin.
std::size_t first_fit(const std::vector<Block>& blocks, std::size_t n) {
  std::size_t begin = 0;
  for (const Block& block : blocks) {
    if (begin + n <= block.begin) break;
    begin = std::max(begin, block.end);
  }
  return begin;
}

}  // namespace

MemoryPlan plan_memory(const Graph& graph, std::size_t alignment) {
  const std::vector<ValueId> live = graph.live_operations();
  const std::vector<std::uint32_t> last_use = last_uses(graph, live);
  MemoryPlan plan;
  plan.offsets.assign(graph.nodes().size(), MemoryPlan::kNowhere);
  std::vector<Block> blocks;
  for (const ValueId value : live) {
    const Node& node = graph.node(value);
    if (node.location || node.shape.empty()) continue;
    // A value read by this very operation is still needed while its result is written.
    std::erase_if(blocks, [&](const Block& block) { return block.last_use < value.index; });
    const std::size_t n = (n_elements(node.shape) + alignment - 1) / alignment * alignment;
    const std::size_t begin = first_fit(blocks, n);
    plan.offsets[value.index] = begin;
    plan.n_elements = std::max(plan.n_elements, begin + n);
    const Block block{begin, begin + n, last_use[value.index]};
    blocks.insert(std::ranges::upper_bound(blocks, begin, {}, &Block::begin), block);
  }
  return plan;
}

}  // namespace lipizz::nn
