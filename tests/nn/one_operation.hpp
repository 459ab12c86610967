#pragma once

#include <utility>
#include <vector>

#include "nn/operations.hpp"
#include "nn/plan.hpp"
#include "nn/support.hpp"

namespace lipizz::nn::testing {

/// What an operation is handed: its shape and values.
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

/// One operation of one engine on these operands: its result, or, if it has none, what it leaves in
/// the first operand.
template <class T>
Buffer<T> run_once(const Engine& engine, const Operation& operation,
                   std::vector<Operand<T>> operands, const Attributes& attributes = {}) {
  Graph g;
  std::vector<ValueId> values;
  for (const Operand<T>& operand : operands) {
    const SlotId slot = g.add_slot("in", operand.values.size(), Slot::Access::kReadWrite);
    values.push_back(g.view(slot, 0, operand.shape));
  }
  const ValueId result = g.apply(operation, values, attributes);
  Buffer<T> out(operation.updates_inputs ? 0 : n_elements(g.shape(result)));
  const SlotId out_slot = g.add_slot("out", out.size(), Slot::Access::kReadWrite);
  if (!operation.updates_inputs) g.place(result, out_slot, 0);
  Plan<T> plan(engine, g, 1);
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    plan.bind({i}, 0, std::span<T>(operands[i].values));
  }
  plan.bind(out_slot, 0, std::span<T>(out));
  plan.run();
  return operation.updates_inputs ? operands.front().values : out;
}

}  // namespace lipizz::nn::testing
