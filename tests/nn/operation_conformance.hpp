#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nn/base/drawn_numbers.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/graph/operations.hpp"
#include "nn/support.hpp"

/// Examples of operations (nn/graph/operation.hpp) with their numbers drawn, and what engines make
/// of them.
namespace lipizz::nn::testing {

/// Values of each slot: of the inputs, then of the result if there is one.
using SlotValues = std::vector<std::vector<double>>;

class SampledExample {
 public:
  /// `over`: the input that the result is to lie on, in place.
  SampledExample(const Operation& operation, const Example& example,
                 std::optional<std::uint32_t> over = {}) {
    Attributes attributes = example.attributes;
    if (example.has_source) attributes.source = &source_;
    std::vector<ValueId> inputs;
    for (const ExampleInput& input : example.inputs) {
      const std::size_t n = n_elements(input.shape);
      inputs.push_back(
          graph_.view(graph_.add_slot("in", n, Slot::Access::kReadWrite), 0, input.shape));
      inputs_.push_back(input);
    }
    const ValueId result = graph_.apply(operation, inputs, attributes);
    end_written_ = inputs.size();
    if (operation.updates_inputs) return;
    if (over) {
      graph_.place(result, {*over}, 0);
      first_written_ = *over;
      end_written_ = *over + 1;
      return;
    }
    const std::size_t n = n_elements(graph_.shape(result));
    graph_.place(result, graph_.add_slot("out", n, Slot::Access::kReadWrite), 0);
    has_result_ = true;
    first_written_ = inputs.size();
    end_written_ = first_written_ + 1;
  }

  /// Gives the values written: the result, or all inputs where these are updated.
  [[nodiscard]] SlotValues run(Device& device) const {
    const std::unique_ptr<DevicePlan> plan = device.plan(graph_, 1, Exactness::kOfDevice);
    std::vector<Buffer<float>> memory = sampled<float>();
    UploadScope uploads(device);
    for (std::uint32_t i = 0; i < memory.size(); ++i) {
      plan->bind({i}, 0, uploads.upload(std::span<float>(memory[i])));
    }
    plan->run();
    uploads.finish();
    return written(memory);
  }

  [[nodiscard]] SlotValues run_reference() const {
    Plan<double> plan({}, graph_, 1);
    std::vector<Buffer<double>> memory = sampled<double>();
    for (std::uint32_t i = 0; i < memory.size(); ++i) {
      plan.bind({i}, 0, std::span<double>(memory[i]));
    }
    plan.run();
    return written(memory);
  }

 private:
  template <class T>
  std::vector<Buffer<T>> sampled() const {
    std::vector<Buffer<T>> memory;
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) memory.push_back(drawn<T>(inputs_[i], i));
    if (has_result_) memory.emplace_back(graph_.slots().back().n_elements);
    return memory;
  }

  // The same numbers in both precisions.
  template <class T>
  static Buffer<T> drawn(const ExampleInput& input, std::uint32_t key) {
    if (!input.values.empty()) return {input.values.begin(), input.values.end()};
    const Random random(1000 + key, Purpose::kTest);
    Buffer<T> values(n_elements(input.shape));
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      switch (input.drawn) {
        case ExampleInput::Drawn::kNormals:
          values[i] = random.normal(i);
          break;
        case ExampleInput::Drawn::kPositive:
          values[i] = 0.1f + random.uniform(i);
          break;
        case ExampleInput::Drawn::kUniforms:
          values[i] = random.uniform(i);
          break;
        case ExampleInput::Drawn::kIndices:
          values[i] = static_cast<T>(random.below(input.below, i));
          break;
        case ExampleInput::Drawn::kWords:
          values[i] = word<T>(input.below == 0 ? random.block(i)[0] : random.below(input.below, i));
          break;
      }
    }
    return values;
  }

  template <class T>
  static T word(std::uint32_t bits) {
    if constexpr (std::is_same_v<T, float>) {
      return float_of(bits);
    } else {
      return bits;
    }
  }

  template <class T>
  [[nodiscard]] SlotValues written(const std::vector<Buffer<T>>& memory) const {
    SlotValues values;
    for (std::size_t i = first_written_; i < end_written_; ++i) {
      values.emplace_back(memory[i].begin(), memory[i].end());
    }
    return values;
  }

  DrawnSamples source_{3, 4};
  Graph graph_;
  std::vector<ExampleInput> inputs_;
  bool has_result_ = false;
  std::size_t first_written_ = 0;  // its slot; all of the inputs where these are updated
  std::size_t end_written_ = 0;
};

/// The largest difference of two results in units of what is tolerated: of each element that part
/// of its own size and of the root mean square of its slot. A NaN is too much.
inline double excess(const SlotValues& found, const SlotValues& wanted, double tolerance = 1e-5) {
  constexpr double kTooMuch = 1e9;
  double largest = 0;
  for (std::size_t slot = 0; slot < wanted.size(); ++slot) {
    if (found[slot].size() != wanted[slot].size()) return kTooMuch;
    double squares = 0;
    for (const double value : wanted[slot]) squares += value * value;
    const double rms = std::sqrt(squares / static_cast<double>(wanted[slot].size()));
    for (std::size_t i = 0; i < wanted[slot].size(); ++i) {
      const double difference = std::abs(found[slot][i] - wanted[slot][i]);
      if (std::isnan(difference)) return kTooMuch;
      if (difference == 0) continue;
      largest = std::max(largest, difference / (tolerance * (std::abs(wanted[slot][i]) + rms)));
    }
  }
  return largest;
}

}  // namespace lipizz::nn::testing
