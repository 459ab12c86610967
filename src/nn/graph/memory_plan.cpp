#include "nn/graph/memory_plan.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "core/check.hpp"
#include "nn/graph/operation.hpp"

namespace lipizz::nn {
namespace {

// Memory of one size for one value, or for several that are computed in place.
struct Block {
  std::size_t n_elements;
  std::uint32_t first_use;
  std::uint32_t last_use;
  std::size_t begin = 0;

  [[nodiscard]] std::size_t end() const { return begin + n_elements; }
  // A value that an operation reads is still needed while its result is written.
  [[nodiscard]] bool is_needed_with(const Block& other) const {
    return first_use <= other.last_use && other.first_use <= last_use;
  }
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

constexpr std::size_t kNoBlock = MemoryPlan::kNowhere;

// The values in blocks, and of each the number of its block.
struct Blocks {
  std::vector<Block> all;
  std::vector<std::size_t> of_value;  // by node; kNoBlock where it lies elsewhere
};

// Where the value of a whole block is read by this operation last, which may overwrite it.
std::optional<std::size_t> overwritten_block(const Graph& graph, ValueId value,
                                             const std::vector<std::uint32_t>& last_use,
                                             const Blocks& blocks) {
  const Node& node = graph.node(value);
  if (!node.operation->in_place) return std::nullopt;
  for (const ValueId input : node.inputs) {
    const ValueId owner = graph.storage(input).owner;
    const bool is_whole = n_elements(graph.shape(owner)) == n_elements(node.shape);
    const std::size_t block = blocks.of_value[owner.index];
    if (is_whole && block != kNoBlock && last_use[owner.index] == value.index) return block;
  }
  return std::nullopt;
}

using IsPlanned = std::function<bool(const Node& node)>;

Blocks blocks_of(const Graph& graph, std::size_t alignment,
                 const std::vector<std::uint32_t>& last_use, const IsPlanned& is_planned) {
  const std::vector<ValueId> live = graph.live_operations();
  Blocks blocks{.all = {}, .of_value = std::vector(graph.nodes().size(), kNoBlock)};
  for (const ValueId value : live) {
    const Node& node = graph.node(value);
    if (node.location || node.shape.empty() || !is_planned(node)) continue;
    const auto overwritten = overwritten_block(graph, value, last_use, blocks);
    if (overwritten) {
      blocks.all[*overwritten].last_use = last_use[value.index];
    } else {
      const std::size_t n = (n_elements(node.shape) + alignment - 1) / alignment * alignment;
      blocks.all.push_back({n, value.index, last_use[value.index]});
    }
    blocks.of_value[value.index] = overwritten.value_or(blocks.all.size() - 1);
  }
  return blocks;
}

// The lowest place beside those that are needed at the same time; `placed` ascends.
std::size_t lowest_place(const Block& block, const std::vector<const Block*>& placed) {
  std::size_t begin = 0;
  for (const Block* other : placed) {
    if (!block.is_needed_with(*other)) continue;
    if (begin + block.n_elements <= other->begin) break;
    begin = std::max(begin, other->end());
  }
  return begin;
}

MemoryPlan plan_of(Blocks blocks) {
  std::vector<Block*> by_size;
  for (Block& block : blocks.all) by_size.push_back(&block);
  std::ranges::stable_sort(by_size, std::greater(), &Block::n_elements);
  MemoryPlan plan;
  std::vector<const Block*> placed;
  for (Block* block : by_size) {
    block->begin = lowest_place(*block, placed);
    plan.n_elements = std::max(plan.n_elements, block->end());
    placed.insert(std::ranges::upper_bound(placed, block->begin, {}, &Block::begin), block);
  }
  for (const std::size_t block : blocks.of_value) {
    plan.offsets.push_back(block == kNoBlock ? MemoryPlan::kNowhere : blocks.all[block].begin);
  }
  return plan;
}

bool is_of_trunk(const Node& node) {
  return node.branch == Graph::kTrunk || node.branch == Graph::kAfterJoin;
}

// The last operation that a value is needed for, in an order in which the trunk comes first: what
// a branch reads of it is needed until the join.
std::vector<std::uint32_t> last_uses_of_branches(const Graph& graph) {
  const std::vector<ValueId> live = graph.live_operations();
  std::vector<std::uint32_t> last = last_uses(graph, live);
  std::uint32_t last_of_branches = 0;
  for (const ValueId value : live) {
    if (!is_of_trunk(graph.node(value))) last_of_branches = value.index;
  }
  for (const ValueId value : live) {
    const Node& reader = graph.node(value);
    for (const ValueId input : reader.inputs) {
      const ValueId owner = graph.storage(input).owner;
      const Node& node = graph.node(owner);
      if (node.operation == nullptr || node.location || node.branch == reader.branch) continue;
      LIPIZZ_ASSERT(node.branch == Graph::kTrunk);  // what else branches make lies in slots
      if (is_of_trunk(reader)) continue;
      last[owner.index] = std::max(last[owner.index], last_of_branches);
    }
  }
  return last;
}

}  // namespace

MemoryPlan plan_memory(const Graph& graph, std::size_t alignment) {
  return plan_of(blocks_of(graph, alignment, last_uses(graph, graph.live_operations()),
                           [](const Node&) { return true; }));
}

MemoryPlan plan_memory_of(const Graph& graph, std::uint32_t branch, std::size_t alignment) {
  return plan_of(
      blocks_of(graph, alignment, last_uses_of_branches(graph), [branch](const Node& node) {
        return branch == Graph::kTrunk ? is_of_trunk(node) : node.branch == branch;
      }));
}

}  // namespace lipizz::nn
