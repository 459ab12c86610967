#include "nn/exec/staged_operation.hpp"

#include "nn/cpu/kernels.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/graph/operation.hpp"

namespace lipizz::nn {

StagedOperation::StagedOperation(const Graph& graph, ValueId operation)
    : alone_(std::make_unique<const Graph>(operation_alone(graph, operation))),
      value_(alone_->live_operations().front()),
      kernel_(make_kernel<float>(fastest_engine(), *alone_, value_)),
      workspace_(kernel_->n_workspace()) {
  kernel_->use_workspace(workspace_.data());
  const auto add_copy = [&](ValueId operand) {
    copies_.push_back({operand, n_, nn::n_elements(graph.shape(operand))});
    n_ += padded<float>(copies_.back().n);
  };
  for (const ValueId input : graph.node(operation).inputs) {
    is_on_host_.push_back(graph.is_on_host(input));
    if (is_on_host_.back()) {
      on_host_.push_back(input);
    } else {
      add_copy(input);
    }
  }
  if (!record().updates_inputs) add_copy(operation);
}

const Operation& StagedOperation::record() const {
  return *alone_->node(value_).operation;
}

std::span<const StagedOperation::Copy> StagedOperation::inputs() const {
  return std::span(copies_).first(is_on_host_.size() - on_host_.size());
}

// The first of the inputs that are copied may be updated, and no other.
std::span<const StagedOperation::Copy> StagedOperation::outputs() const {
  if (only_sends()) return {};
  return record().updates_inputs ? std::span(copies_).first(1)
                                 : std::span(copies_).subspan(inputs().size());
}

bool StagedOperation::only_sends() const {
  return record().only_sends;
}

// An operation alone has its inputs' views first, in their order, and then itself.
void StagedOperation::run(float* host, std::span<float* const> on_host) {
  std::vector<float*> values(alone_->nodes().size(), nullptr);
  auto copy = copies_.begin();
  auto there = on_host.begin();
  for (std::size_t i = 0; i < is_on_host_.size(); ++i) {
    values[i] = is_on_host_[i] ? *there++ : host + (copy++)->place;
  }
  if (copy != copies_.end()) values[value_.index] = host + copy->place;
  const DenormalsKept kept;
  kernel_->run(values.data());
}

}  // namespace lipizz::nn
