#pragma once

#include <memory>

#include "nn/cpu/kernels.hpp"

namespace lipizz::nn {

// A loop of nn/cpu/elementwise.hpp on the nodes of one operation.
class LoopKernel final : public Kernel<float> {
 public:
  using Compute = void (*)(const LoopKernel&, float* const*);
  LoopKernel(const Graph& graph, ValueId value, Compute compute)
      : node_(graph.node(value)),
        first_shape_(graph.shape(node_.inputs[0])),
        result_(value.index),
        compute_(compute) {}
  void run(float* const* values) override { compute_(*this, values); }

  [[nodiscard]] float* input(float* const* values, std::size_t i) const {
    return values[node_.inputs[i].index];
  }
  [[nodiscard]] float* result(float* const* values) const { return values[result_]; }
  [[nodiscard]] const Shape& first_shape() const { return first_shape_; }
  [[nodiscard]] const Shape& result_shape() const { return node_.shape; }
  [[nodiscard]] const Attributes& attributes() const { return node_.attributes; }

 private:
  Node node_;
  Shape first_shape_;
  std::uint32_t result_;
  Compute compute_;
};

template <LoopKernel::Compute compute>
std::unique_ptr<Kernel<float>> make_loop(const Graph& graph, ValueId value) {
  return std::make_unique<LoopKernel>(graph, value, compute);
}

/// The kernels of nn/cpu/normalisation.cpp.
std::unique_ptr<Kernel<float>> make_statistics(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_normalise(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_normalise_sums(const Graph& graph, ValueId value);
std::unique_ptr<Kernel<float>> make_normalise_gradient(const Graph& graph, ValueId value);

}  // namespace lipizz::nn
