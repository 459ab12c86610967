#include "nn/graph/memory_plan.hpp"

#include <algorithm>

namespace lipizz::nn {
namespace {

struct Room {
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

// `rooms` is sorted by begin.
std::size_t first_fit(const std::vector<Room>& rooms, std::size_t n) {
  std::size_t begin = 0;
  for (const Room& room : rooms) {
    if (begin + n <= room.begin) break;
    begin = std::max(begin, room.end);
  }
  return begin;
}

}  // namespace

MemoryPlan plan_memory(const Graph& graph, std::size_t alignment) {
  const std::vector<ValueId> live = graph.live_operations();
  const std::vector<std::uint32_t> last_use = last_uses(graph, live);
  MemoryPlan plan;
  plan.offsets.assign(graph.nodes().size(), MemoryPlan::kNowhere);
  std::vector<Room> rooms;
  for (const ValueId value : live) {
    const Node& node = graph.node(value);
    if (node.location || node.shape.empty()) continue;
    // A value read by this very operation is still needed while its result is written.
    std::erase_if(rooms, [&](const Room& room) { return room.last_use < value.index; });
    const std::size_t n = (n_elements(node.shape) + alignment - 1) / alignment * alignment;
    const std::size_t begin = first_fit(rooms, n);
    plan.offsets[value.index] = begin;
    plan.n_elements = std::max(plan.n_elements, begin + n);
    const Room room{begin, begin + n, last_use[value.index]};
    rooms.insert(std::ranges::upper_bound(rooms, begin, {}, &Room::begin), room);
  }
  return plan;
}

}  // namespace lipizz::nn
