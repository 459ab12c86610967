#include "nn/graph/graph_copy.hpp"

#include <utility>

#include "core/check.hpp"
#include "nn/graph/operations/slicing.hpp"

namespace lipizz::nn {

GraphCopy::GraphCopy(const Graph& from) : from_(from), made_(from.nodes().size()) {
  for (const Slot& slot : from.slots()) graph_.add_slot(slot);
}

ValueId GraphCopy::copy(ValueId operation) {
  go_to(operation);
  const ValueId made = copy_to_nowhere(operation, inputs_of(operation));
  const auto& location = from_.node(operation).location;
  if (location) graph_.place(made, location->slot, location->offset);
  return made;
}

ValueId GraphCopy::copy_to_nowhere(ValueId operation, std::vector<ValueId> inputs) {
  const Node& node = from_.node(operation);
  go_to(operation);
  const ValueId made = graph_.apply(*node.operation, std::move(inputs), node.attributes);
  replace(operation, made);
  return made;
}

ValueId GraphCopy::here(ValueId value) {
  if (made_[value.index]) return *made_[value.index];
  const Node& node = from_.node(value);
  if (node.operation == &kSlice) {
    return graph_.slice(here(node.inputs.front()), node.attributes.offset, node.attributes.shape);
  }
  LIPIZZ_ASSERT(node.location.has_value());
  return graph_.view(node.location->slot, node.location->offset, node.shape);
}

void GraphCopy::replace(ValueId value, ValueId by) {
  made_[value.index] = by;
}

std::vector<ValueId> GraphCopy::inputs_of(ValueId operation) {
  std::vector<ValueId> inputs;
  for (const ValueId input : from_.node(operation).inputs) inputs.push_back(here(input));
  return inputs;
}

void GraphCopy::go_to(ValueId operation) {
  const Node& node = from_.node(operation);
  graph_.set_branch(node.branch);
  graph_.set_stage(node.stage);
}

}  // namespace lipizz::nn
