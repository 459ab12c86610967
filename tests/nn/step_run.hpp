#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "nn/cpu/plan.hpp"
#include "nn/support.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn::testing {

/// A training step of one model in either precision, with memory for each of its slots, at rate 1
/// and with the loss bce. Under plain descent the first moments after a run are its gradient.
inline const OptimizerSpec kPlainDescent{.kind = find_optimizer("sgd"), .beta1 = 0};

template <class T>
class StepRun {
 public:
  StepRun(const Engine& engine, StepGraph step)
      : step_(std::move(step)), plan_(engine, step_.graph, 1) {
    const std::span<const Slot> slots = step_.graph.slots();
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      Buffer<T>& memory = memory_.emplace_back(slots[i].n_elements);
      const SlotId slot{i};
      if (slots[i].access == Slot::Access::kRead) plan_.bind(slot, 0, std::span<const T>(memory));
      if (slots[i].access == Slot::Access::kReadWrite) plan_.bind(slot, 0, std::span<T>(memory));
    }
    at(step_.settings).front() = 1;
    if (step_.loss_scale) scale_losses(1);
  }

  /// From now on, by this much.
  void scale_losses(float scale) {
    const std::span<T> state = at(*step_.loss_scale);
    std::ranges::fill(state, T{});
    state[LossScale::kScale] = scale;
    state[LossScale::kInverse] = 1 / scale;
  }

  [[nodiscard]] std::span<T> at(SlotId slot) { return memory_[slot.index]; }
  [[nodiscard]] const StepGraph& step() const { return step_; }

  /// The first values of a slot.
  void fill(SlotId slot, const auto& values) {
    std::ranges::transform(values, at(slot).begin(), [](auto v) { return static_cast<T>(v); });
  }

  /// Normal inputs and samples, uniform numbers, and rows of one class after the other.
  void draw(std::uint32_t n_classes = 0) {
    if (step_.inputs) fill(*step_.inputs, normals(at(*step_.inputs).size(), 1));
    if (step_.samples) fill(*step_.samples, normals(at(*step_.samples).size(), 2));
    for (const SlotId slot : step_.uniforms) {
      std::vector<float> drawn(at(slot).size());
      Random(slot.index, Purpose::kTest).uniforms(0, drawn);
      fill(slot, drawn);
    }
    for (std::size_t i = 0; n_classes > 0 && i < at(*step_.labels).size(); ++i) {
      at(*step_.labels)[i] = static_cast<T>(i % n_classes);
    }
  }

  /// One step from these parameters; the sum of its losses.
  double loss(const auto& parameters) {
    fill(step_.parameters, parameters);
    plan_.run();
    double sum = 0;
    for (const T loss : at(step_.losses)) sum += static_cast<double>(loss);
    return sum;
  }

  /// The derivatives of that sum.
  std::vector<T> gradient(const auto& parameters) {
    loss(parameters);
    return {at(step_.moments[0]).begin(), at(step_.moments[0]).end()};
  }

 private:
  StepGraph step_;
  Plan<T> plan_;
  std::vector<Buffer<T>> memory_;
};

/// Central differences of the sum of a step's losses by the first `n` of its parameters.
inline std::vector<double> slopes(StepRun<double>& run, std::vector<double> parameters,
                                  std::size_t n) {
  constexpr double kShift = 1e-5;
  std::vector<double> found;
  for (std::size_t i = 0; i < n; ++i) {
    const double there = parameters[i];
    parameters[i] = there + kShift;
    const double above = run.loss(parameters);
    parameters[i] = there - kShift;
    const double below = run.loss(parameters);
    parameters[i] = there;
    found.push_back((above - below) / (2 * kShift));
  }
  return found;
}

}  // namespace lipizz::nn::testing
