#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "nn/base/penalty.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/graph/gradients.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/operations/broadcasting.hpp"
#include "nn/support.hpp"

/// Gradients of a graph against finite differences, in double.
namespace lipizz::nn::testing {

inline constexpr Engine kReference{Backend::kReference, NumericsLevel::kBaseline};

/// A network's loss as a graph in double, with its gradients in one slot.
struct LossGraph {
  Graph graph;
  SlotId parameters, opponent, input, other, gradients, loss;
  std::size_t n_parameters, n_padded;
  std::optional<SlotId> labels{};
  std::uint32_t n_classes = 0;
  std::vector<SlotId> uniforms{};
};

/// With classes and random numbers for those who ask.
inline Pass pass(LossGraph& l, const NetworkSpec& network, Mode mode, std::uint32_t batch,
                 std::uint32_t n_batches = 1) {
  Pass pass{.mode = mode, .n_batches = n_batches};
  l.n_classes = network.n_classes;
  if (l.n_classes > 0) {
    l.labels = l.graph.add_slot("labels", batch, Slot::Access::kRead);
    pass.labels = l.graph.view(*l.labels, 0, {batch});
  }
  pass.uniforms = [&l](Shape shape) {
    l.uniforms.push_back(l.graph.add_slot("u", n_elements(shape), Slot::Access::kRead));
    return l.graph.view(l.uniforms.back(), 0, std::move(shape));
  };
  return pass;
}

/// Makes `loss` and its gradients by the parameters of `network` results of the graph.
inline void finish(LossGraph& l, const NetworkSpec& network, ValueId loss) {
  const ParameterLayout layout = parameter_layout(network);
  l.n_parameters = layout.n_parameters;
  l.n_padded = layout.n_padded;
  l.gradients = l.graph.add_slot("gradients", layout.n_padded, Slot::Access::kReadWrite);
  l.loss = l.graph.add_slot("loss", 1, Slot::Access::kReadWrite);
  const auto gradients =
      add_gradients(l.graph, loss, parameter_values(l.graph, network, l.parameters));
  const SlotId zeros = l.graph.add_slot("0", layout.n_parameters, Slot::Access::kInternal);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    // A sum, since a part of a value cannot be placed.
    const ValueId none = l.graph.view(zeros, 0, layout.blocks[i].shape);
    l.graph.place(l.graph.apply(kAdd, {gradients[i], none}), l.gradients, layout.blocks[i].offset);
  }
  l.graph.place(loss, l.loss, 0);
}

/// The discriminator's loss on `batch` samples, the first half of them real.
inline LossGraph discriminator_graph(const NetworkSpec& network, std::uint32_t batch) {
  LossGraph l;
  Graph& g = l.graph;
  l.parameters = g.add_slot("d", parameter_layout(network).n_padded, Slot::Access::kReadWrite);
  l.opponent = l.parameters;
  l.input = g.add_slot("x", std::size_t{batch} * network.n_inputs(), Slot::Access::kRead);
  l.other = g.add_slot("loss id", 1, Slot::Access::kRead);
  const ValueId logits =
      add_network(g, network, l.parameters, g.view(l.input, 0, {batch, network.n_inputs()}),
                  pass(l, network, Mode::kTraining, batch, 2));
  finish(l, network, g.apply(kDiscriminatorLoss, {logits, g.view(l.other, 0, {1})}, {.number = 1}));
  return l;
}

/// A gradient penalty at the input: its gradients are made of second derivatives of the network.
inline LossGraph penalty_graph(const NetworkSpec& network, std::uint32_t batch,
                               const Penalty& penalty) {
  LossGraph l;
  Graph& g = l.graph;
  l.parameters = g.add_slot("d", parameter_layout(network).n_padded, Slot::Access::kReadWrite);
  l.opponent = l.parameters;
  l.input = g.add_slot("x", std::size_t{batch} * network.n_inputs(), Slot::Access::kRead);
  l.other = g.add_slot("progress", 1, Slot::Access::kRead);
  const ValueId x = g.view(l.input, 0, {batch, network.n_inputs()});
  const ValueId logits =
      add_network(g, network, l.parameters, x, pass(l, network, Mode::kFrozen, batch));
  const ValueId ones = g.apply(kFill, {}, {.shape = g.shape(logits), .number = 1});
  const ValueId slope = add_derivatives(g, logits, ones, std::span(&x, 1)).front();
  finish(l, network,
         g.apply(kPenalty, {row_products(g, slope, slope), g.view(l.other, 0, {1})},
                 {.number = 3, .penalty = &penalty}));
  return l;
}

inline std::vector<double> doubles(std::span<const float> values) {
  return {values.begin(), values.end()};
}

/// Initial parameters, all a little elsewhere: none is one or zero any more.
inline std::vector<double> unsettled(const NetworkSpec& network, std::uint64_t seed) {
  std::vector<double> parameters = doubles(initial(network, seed));
  const std::size_t n = parameter_layout(network).n_parameters;
  const Buffer<float> steps = normals(n, 77);
  for (std::size_t i = 0; i < n; ++i) parameters[i] += 0.2 * double{steps[i]};
  return parameters;
}

/// Compares every gradient with a central difference in double.
inline void expect_true_gradients(const LossGraph& l, std::vector<double> parameters,
                                  std::vector<double> opponent, std::vector<double> input,
                                  std::vector<double> other) {
  Plan<double> plan(kReference, l.graph, 1);
  std::vector<double> gradients(l.n_padded);
  double loss = 0;
  plan.bind(l.parameters, 0, std::span<double>(parameters));
  if (l.opponent != l.parameters) plan.bind(l.opponent, 0, std::span<const double>(opponent));
  plan.bind(l.input, 0, std::span<const double>(input));
  plan.bind(l.other, 0, std::span<const double>(other));
  plan.bind(l.gradients, 0, std::span<double>(gradients));
  plan.bind(l.loss, 0, std::span<double>(&loss, 1));
  std::vector<double> labels(l.labels ? l.graph.slots()[l.labels->index].n_elements : 0);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<double>(i % l.n_classes);
  if (l.labels) plan.bind(*l.labels, 0, std::span<const double>(labels));
  std::vector<std::vector<double>> uniforms;
  for (const SlotId slot : l.uniforms) {
    std::vector<float> drawn(l.graph.slots()[slot.index].n_elements);
    Random(slot.index, Purpose::kTest).uniforms(0, drawn);
    uniforms.emplace_back(drawn.begin(), drawn.end());
    plan.bind(slot, 0, std::span<const double>(uniforms.back()));
  }
  for (int i = 0; i < 300; ++i) plan.run();  // until singular vectors stand still
  const std::vector<double> analytic = gradients;
  const std::vector<double> settled = parameters;
  const auto loss_at = [&](std::size_t i, double shift) {
    parameters[i] += shift;
    plan.run();
    std::ranges::copy(settled, parameters.begin());  // statistics, too
    return loss;
  };
  constexpr double kShift = 1e-5;
  for (std::size_t i = 0; i < l.n_parameters; ++i) {
    const double numeric = (loss_at(i, kShift) - loss_at(i, -kShift)) / (2 * kShift);
    EXPECT_NEAR(analytic[i], numeric, 1e-8 + 1e-6 * std::abs(numeric)) << i;
  }
}

}  // namespace lipizz::nn::testing
