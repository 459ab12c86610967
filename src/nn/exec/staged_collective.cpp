#include "nn/exec/staged_collective.hpp"

#include "nn/base/buffer.hpp"
#include "nn/graph/operation.hpp"

namespace lipizz::nn {

StagedCollective::StagedCollective(const Graph& graph, ValueId operation)
    : alone_(operation_alone(graph, operation)), value_(alone_.live_operations().front()) {
  prepare_references();
  std::vector<ValueId> operands = graph.node(operation).inputs;
  n_inputs_ = operands.size();
  if (!record().updates_inputs) operands.push_back(operation);
  for (const ValueId operand : operands) {
    copies_.push_back({operand, n_, nn::n_elements(graph.shape(operand))});
    n_ += padded<float>(copies_.back().n);
  }
}

const Operation& StagedCollective::record() const {
  return *alone_.node(value_).operation;
}

std::span<const StagedCollective::Copy> StagedCollective::inputs() const {
  return std::span(copies_).first(n_inputs_);
}

// A collective operation updates no input but the first.
std::span<const StagedCollective::Copy> StagedCollective::outputs() const {
  if (only_sends()) return {};
  return record().updates_inputs ? std::span(copies_).first(1)
                                 : std::span(copies_).subspan(n_inputs_);
}

bool StagedCollective::only_sends() const {
  return record().only_sends;
}

// An operation alone has its inputs' views first, in their order, and then itself.
void StagedCollective::run(float* host) const {
  std::vector<float*> values(alone_.nodes().size(), nullptr);
  for (std::size_t i = 0; i < copies_.size(); ++i) values[i] = host + copies_[i].place;
  record().reference.f32(alone_, value_, values.data());
}

}  // namespace lipizz::nn
