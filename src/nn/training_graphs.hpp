#pragma once

#include <cstdint>

#include "nn/graph.hpp"
#include "nn/models.hpp"
#include "nn/optimizer.hpp"

namespace lipizz::nn {

/// A whole training step as a graph, with the slots that its caller binds.
struct StepGraph {
  Graph graph;
  SlotId parameters;  // of the network in training, [n_padded], updated
  SlotId moments;     // [n_moments * n_padded], updated
  SlotId opponent;    // parameters of the frozen network, [n_padded]; unused for a classifier
  SlotId settings;    // {learning rate, updates before, loss id}
  SlotId noise;       // [batch, latent]; for a classifier its labels, [batch]
  SlotId samples;     // real samples, [batch, sample]; for a classifier its input
  SlotId loss;        // [1], of the step, before its update
};

/// z -> G -> D -> loss -> gradients by G's parameters -> update.
StepGraph generator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                               std::uint32_t batch);

/// z -> G (frozen); real rows and fakes through D in one pass -> loss -> gradients -> update.
/// `samples` holds 2 * batch rows: the caller fills the first half, G writes the second.
StepGraph discriminator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                                   std::uint32_t batch);

/// x -> network -> softmax cross-entropy -> gradients -> update.
StepGraph classifier_step_graph(const NetworkSpec& network, const OptimizerSpec& optimizer,
                                std::uint32_t batch);

}  // namespace lipizz::nn
