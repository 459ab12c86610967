#pragma once

#include <memory>

#include "nn/cpu/plan.hpp"

namespace lipizz::nn {

/// A function of (graph, value, values) as a kernel.
template <void (*compute)(const Graph&, ValueId, float* const*)>
class FunctionKernel final : public Kernel<float> {
 public:
  FunctionKernel(const Graph& graph, ValueId value) : graph_(graph), value_(value) {}
  void run(float* const* values) override { compute(graph_, value_, values); }

 private:
  const Graph& graph_;
  ValueId value_;
};

template <void (*compute)(const Graph&, ValueId, float* const*)>
std::unique_ptr<Kernel<float>> make_function(const Graph& graph, ValueId value) {
  return std::make_unique<FunctionKernel<compute>>(graph, value);
}

}  // namespace lipizz::nn
