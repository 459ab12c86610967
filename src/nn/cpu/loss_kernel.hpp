#pragma once

#include <cstdint>
#include <memory>

#include "nn/cpu/plan.hpp"

namespace lipizz::nn {

/// Which node a kernel reads and writes, and how many rows and columns its first input has.
struct LossNodes {
  std::uint32_t input;
  std::uint32_t other;  // labels
  std::uint32_t result;
  std::uint32_t n_rows;
  std::uint32_t n_columns;
};

inline LossNodes loss_nodes(const Graph& graph, ValueId value) {
  const Node& node = graph.node(value);
  const Shape& logits = graph.shape(node.inputs[0]);
  return {node.inputs[0].index, node.inputs[1].index, value.index, logits[0], logits[1]};
}

template <void (*compute)(const LossNodes&, const float* input, const float* other, float* result)>
class LossKernel final : public Kernel<float> {
 public:
  explicit LossKernel(const LossNodes& nodes) : nodes_(nodes) {}
  void run(float* const* values) override {
    compute(nodes_, values[nodes_.input], values[nodes_.other], values[nodes_.result]);
  }

 private:
  LossNodes nodes_;
};

template <void (*compute)(const LossNodes&, const float*, const float*, float*)>
std::unique_ptr<Kernel<float>> make_loss(const Graph& graph, ValueId value) {
  return std::make_unique<LossKernel<compute>>(loss_nodes(graph, value));
}

}  // namespace lipizz::nn
