#include "nn/graph/graph.hpp"

#include <algorithm>
#include <ranges>

#include "core/check.hpp"
#include "core/error.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + "]";
}

SlotId Graph::add_slot(Slot slot) {
  slots_.push_back(std::move(slot));
  return {static_cast<std::uint32_t>(slots_.size() - 1)};
}

SlotId Graph::add_slot(std::string name, std::size_t n_elements, Slot::Access access) {
  return add_slot(Slot{std::move(name), n_elements, access});
}

ValueId Graph::view(SlotId slot, std::size_t offset, Shape shape) {
  LIPIZZ_ASSERT(offset + n_elements(shape) <= slots_[slot.index].n_elements);
  const Location location{slot, offset};
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].operation == nullptr && nodes_[i].location == location &&
        nodes_[i].shape == shape) {
      return {i};
    }
  }
  nodes_.push_back({nullptr, {}, {}, std::move(shape), location, kTrunk, stage_});
  return {static_cast<std::uint32_t>(nodes_.size() - 1)};
}

ValueId Graph::apply(const Operation& operation, std::vector<ValueId> inputs,
                     Attributes attributes) {
  std::vector<Shape> shapes;
  for (const ValueId input : inputs) shapes.push_back(shape(input));
  Shape result = operation.shape(shapes, attributes);
  nodes_.push_back({&operation, std::move(inputs), std::move(attributes), std::move(result),
                    std::nullopt, branch_, stage_});
  return {static_cast<std::uint32_t>(nodes_.size() - 1)};
}

ValueId Graph::slice(ValueId value, std::size_t offset, Shape shape) {
  if (offset == 0 && shape == node(value).shape) return value;
  Attributes attributes;
  attributes.offset = offset;
  attributes.shape = std::move(shape);
  return apply(kSlice, {value}, std::move(attributes));
}

ValueId Graph::reshape(ValueId value, Shape shape) {
  LIPIZZ_ASSERT(n_elements(shape) == n_elements(node(value).shape));
  return slice(value, 0, std::move(shape));
}

void Graph::differentiate_together(ValueId last, std::uint32_t n) {
  LIPIZZ_ASSERT(n > 0 && n <= last.index + 1);
  for (std::uint32_t i = last.index + 1 - n; i <= last.index; ++i) {
    LIPIZZ_ASSERT(nodes_[i].operation == nodes_[last.index].operation);
  }
  nodes_[last.index].n_joint = n;
}

Graph::Storage Graph::storage(ValueId value) const {
  std::size_t offset = 0;
  while (node(value).operation == &kSlice) {
    offset += node(value).attributes.offset;
    value = node(value).inputs.front();
  }
  return {value, offset};
}

bool Graph::is_on_host(ValueId value) const {
  const auto& location = node(storage(value).owner).location;
  return location && slots_[location->slot.index].is_on_host;
}

void Graph::place(ValueId value, SlotId slot, std::size_t offset) {
  const Storage storage = this->storage(value);
  LIPIZZ_ASSERT(storage.offset == 0 &&
                n_elements(shape(storage.owner)) == n_elements(shape(value)));
  Node& node = nodes_[storage.owner.index];
  LIPIZZ_ASSERT(node.operation != nullptr && !node.location);
  LIPIZZ_ASSERT(offset + n_elements(node.shape) <= slots_[slot.index].n_elements);
  node.location = Location{slot, offset};
}

std::vector<std::vector<Graph::SlotView>> Graph::slot_views() const {
  std::vector<std::vector<SlotView>> views(slots_.size());
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const auto [owner, offset] = storage({i});
    const auto& location = node(owner).location;
    if (location) views[location->slot.index].push_back({i, location->offset + offset});
  }
  return views;
}

void Graph::trim_internal_slots() {
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].access != Slot::Access::kInternal) continue;
    std::size_t first = slots_[i].n_elements;
    std::size_t end = 0;
    const auto lies_here = [i](const Node& node) {
      return node.location && node.location->slot.index == i;
    };
    for (const Node& node : nodes_ | std::views::filter(lies_here)) {
      first = std::min(first, node.location->offset);
      end = std::max(end, node.location->offset + n_elements(node.shape));
    }
    slots_[i].n_elements = end > first ? end - first : 0;
    for (Node& node : nodes_ | std::views::filter(lies_here)) node.location->offset -= first;
  }
}

void Graph::set_algorithm(ValueId convolution, ConvolutionAlgorithm algorithm) {
  nodes_[convolution.index].attributes.algorithm = algorithm;
}

std::vector<ValueId> Graph::live_operations() const {
  std::vector<bool> is_live(nodes_.size(), false);
  std::vector<ValueId> live;
  for (auto i = static_cast<std::uint32_t>(nodes_.size()); i-- > 0;) {
    const Node& node = nodes_[i];
    if (node.operation == nullptr) continue;
    if (!is_live[i] && !node.location && !node.operation->updates_inputs) continue;
    for (const ValueId input : node.inputs) is_live[input.index] = true;
    if (node.operation != &kSlice) live.push_back({i});
  }
  std::ranges::reverse(live);
  return live;
}

void Graph::throw_across(SlotId slot) const {
  throw InternalError("a value of slot " + slots_[slot.index].name +
                      " lies across the end of a part that is bound");
}

std::uint32_t Graph::n_branches() const {
  std::uint32_t n = 0;
  for (const Node& node : nodes_) {
    if (node.branch != kAfterJoin) n = std::max(n, node.branch);
  }
  return n;
}

std::vector<Shape> Graph::input_shapes(const Node& node) const {
  std::vector<Shape> shapes;
  for (const ValueId input : node.inputs) shapes.push_back(shape(input));
  return shapes;
}

std::uint64_t Graph::flops(ValueId operation) const {
  const Node& n = node(operation);
  return n.operation->flops(input_shapes(n), n.attributes);
}

std::uint64_t Graph::sent(ValueId operation) const {
  const Node& n = node(operation);
  return n.operation->sent == nullptr ? 0 : n.operation->sent(input_shapes(n), n.attributes);
}

std::uint64_t Graph::flops() const {
  std::uint64_t total = 0;
  for (const ValueId value : live_operations()) total += flops(value);
  return total;
}

void check_size(const Slot& slot, std::size_t n_elements) {
  if (n_elements == slot.n_elements) return;
  throw InternalError("slot " + slot.name + " holds " + std::to_string(slot.n_elements) +
                      " elements, bound to " + std::to_string(n_elements));
}

Graph operation_alone(const Graph& from, ValueId operation) {
  Graph graph;
  const Node& node = from.node(operation);
  std::vector<ValueId> inputs;
  for (const ValueId input : node.inputs) {
    const Shape& shape = from.shape(input);
    const SlotId slot = graph.add_slot("input", n_elements(shape), Slot::Access::kReadWrite);
    inputs.push_back(graph.view(slot, 0, shape));
  }
  const ValueId result = graph.apply(*node.operation, inputs, node.attributes);
  if (node.operation->updates_inputs) return graph;
  const SlotId out = graph.add_slot("result", n_elements(node.shape), Slot::Access::kReadWrite);
  graph.place(result, out, 0);
  return graph;
}

bool is_left_to_host(const Graph& graph, ValueId operation) {
  const Node& node = graph.node(operation);
  return node.operation->is_collective || std::ranges::any_of(node.inputs, [&graph](ValueId input) {
           return graph.is_on_host(input);
         });
}

}  // namespace lipizz::nn
