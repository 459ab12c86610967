#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nn/augmentation.hpp"
#include "nn/graph.hpp"
#include "nn/models.hpp"
#include "nn/optimizer.hpp"
#include "nn/penalty.hpp"

namespace lipizz::nn {

/// What a step may do beside its loss.
struct StepOptions {
  Augmentation augmentation{};       // of all that the discriminator sees
  const Penalty* penalty = nullptr;  // the discriminator's; none: null
  double penalty_weight = 10;
  double l1_weight = 0;      // the generator's, of mean |real - generated| of paired samples
  double average_decay = 0;  // of the generator's moving average; 0: none is kept
};

/// A whole training step as a graph, with the slots that its caller binds.
struct StepGraph {
  Graph graph;
  SlotId parameters{};  // of the network in training, [n_padded], updated
  SlotId moments{};     // [n_moments * n_padded], updated
  SlotId settings{};    // {learning rate, updates before, loss id}
  SlotId losses{};      // [n_losses], of the step, before its update; their sum is minimised
  std::optional<SlotId> opponent{};  // parameters of the frozen network, [n_padded]
  std::optional<SlotId> average{};   // of the parameters, [n_padded], updated
  std::optional<SlotId> inputs{};    // the generator's, [batch, inputs]
  std::optional<SlotId> samples{};   // real ones, [batch, sample]; with room for as many fakes
  std::optional<SlotId> labels{};    // classes of the samples' rows
  std::vector<SlotId> uniforms{};    // random numbers in [0, 1)
};

/// inputs -> G -> D -> loss -> gradients by G's parameters -> update.
/// For pairs `samples` are those whose conditions the inputs are. Labels: [batch].
StepGraph generator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                               std::uint32_t batch, const StepOptions& options = {});

/// inputs -> G (frozen); real rows and fakes through D in one pass -> loss -> gradients -> update.
/// `samples` holds 2 * batch rows: the caller fills the first half, G writes the second. Labels: of
/// both, [2 * batch].
StepGraph discriminator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                                   std::uint32_t batch, const StepOptions& options = {});

/// samples -> network -> softmax cross-entropy -> gradients -> update. Labels: [batch].
StepGraph classifier_step_graph(const NetworkSpec& network, const OptimizerSpec& optimizer,
                                std::uint32_t batch);

}  // namespace lipizz::nn
