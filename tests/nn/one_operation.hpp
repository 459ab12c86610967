#pragma once

#include <utility>
#include <vector>

#include "nn/cpu/plan.hpp"
#include "nn/graph/operations.hpp"
#include "nn/support.hpp"

namespace lipizz::nn::testing {

/// An operand of an operation: its shape and values.
template <class T>
struct Operand {
  Shape shape;
  Buffer<T> values;
};

/// Normals of this shape.
inline Operand<float> drawn(Shape shape, std::uint32_t key) {
  Buffer<float> values = normals(n_elements(shape), key);
  return {std::move(shape), std::move(values)};
}

/// A graph of one operation: its inputs lie in the first slots, its result in the last.
struct OneOperation {
  template <class T>
  OneOperation(const Operation& operation, const std::vector<Operand<T>>& operands,
               const Attributes& attributes) {
    std::vector<ValueId> values;
    for (const Operand<T>& operand : operands) {
      const SlotId slot = graph.add_slot("in", operand.values.size(), Slot::Access::kReadWrite);
      values.push_back(graph.view(slot, 0, operand.shape));
    }
    const ValueId result = graph.apply(operation, values, attributes);
    if (!operation.updates_inputs) n_results = n_elements(graph.shape(result));
    out = graph.add_slot("out", n_results, Slot::Access::kReadWrite);
    if (n_results > 0) graph.place(result, out, 0);
  }
  Graph graph;
  SlotId out;
  std::size_t n_results = 0;
};

/// One operation of one engine on these operands: its result, or, if it has none, what it leaves in
/// the first operand.
template <class T>
Buffer<T> run_once(const Engine& engine, const Operation& operation,
                   std::vector<Operand<T>> operands, const Attributes& attributes = {}) {
  const OneOperation one(operation, operands, attributes);
  Buffer<T> out(one.n_results);
  Plan<T> plan(engine, one.graph, 1);
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    plan.bind({i}, 0, std::span<T>(operands[i].values));
  }
  plan.bind(one.out, 0, std::span<T>(out));
  plan.run();
  return operation.updates_inputs ? operands.front().values : out;
}

/// The same on a device.
inline Buffer<float> run_once(Device& device, const Operation& operation,
                              std::vector<Operand<float>> operands,
                              const Attributes& attributes = {},
                              Exactness exactness = Exactness::kOfDevice) {
  const OneOperation one(operation, operands, attributes);
  Buffer<float> out(one.n_results);
  const std::unique_ptr<DevicePlan> plan = device.plan(one.graph, 1, exactness);
  UploadScope uploads(device);
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    plan->bind({i}, 0, uploads.upload(std::span<float>(operands[i].values)));
  }
  plan->bind(one.out, 0, uploads.upload(std::span<float>(out)));
  plan->run();
  uploads.finish();
  return operation.updates_inputs ? operands.front().values : out;
}

}  // namespace lipizz::nn::testing
