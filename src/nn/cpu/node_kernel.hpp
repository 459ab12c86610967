#pragma once

#include <cstdint>

#include "nn/cpu/plan.hpp"

namespace lipizz::nn {

/// A kernel that keeps the node whose operation it computes.
class NodeKernel : public Kernel<float> {
 public:
  /// Null beyond the node's inputs.
  [[nodiscard]] float* input(float* const* values, std::size_t i) const {
    return i < node_.inputs.size() ? values[node_.inputs[i].index] : nullptr;
  }
  [[nodiscard]] float* result(float* const* values) const { return values[result_]; }
  [[nodiscard]] const Attributes& attributes() const { return node_.attributes; }

 protected:
  NodeKernel(const Graph& graph, ValueId value) : node_(graph.node(value)), result_(value.index) {}

  [[nodiscard]] const Node& node() const { return node_; }

 private:
  const Node& node_;
  std::uint32_t result_;
};

}  // namespace lipizz::nn
