#pragma once

#include <memory>

#include "nn/cpu/node_kernel.hpp"

namespace lipizz::nn {

// A loop of nn/cpu/elementwise.hpp on the nodes of one operation.
class LoopKernel final : public NodeKernel {
 public:
  using Compute = void (*)(const LoopKernel&, float* const*);
  LoopKernel(const Graph& graph, ValueId value, Compute compute)
      : NodeKernel(graph, value), first_shape_(graph.shape(node().inputs[0])), compute_(compute) {}
  void run(float* const* values) override { compute_(*this, values); }

  [[nodiscard]] const Shape& first_shape() const { return first_shape_; }
  [[nodiscard]] const Shape& result_shape() const { return node().shape; }

 private:
  const Shape& first_shape_;
  Compute compute_;
};

template <LoopKernel::Compute compute>
std::unique_ptr<Kernel<float>> make_loop(const Graph& graph, ValueId value) {
  return std::make_unique<LoopKernel>(graph, value, compute);
}

}  // namespace lipizz::nn
