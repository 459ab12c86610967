#pragma once

#include <cstdint>
#include <span>

#include "nn/base/engine.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {

/// One optimizer step of a classifier under softmax cross-entropy, on a CPU engine. One thread uses
/// it, prepared with prepare_compute_thread().
class ClassifierStep {
 public:
  ClassifierStep(const Engine& engine, const NetworkSpec& network, const OptimizerSpec& optimizer,
                 std::uint32_t batch);

  /// The classifier in training, updated in place: parameters [n_padded], the optimizer's moments.
  void bind(std::span<float> parameters, std::span<float> moments);
  std::span<float> input() { return input_; }    // [batch, inputs]
  std::span<float> labels() { return labels_; }  // [batch], class indices as numbers
  /// `step`: updates made before this one.
  void run(float learning_rate, std::uint32_t step);
  [[nodiscard]] float loss() const { return loss_[0]; }  // of the last run, before its update

 private:
  StepGraph step_;
  Plan<float> plan_;
  Buffer<float> input_;
  Buffer<float> labels_;
  Buffer<float> settings_;
  Buffer<float> loss_;
};

}  // namespace lipizz::nn
