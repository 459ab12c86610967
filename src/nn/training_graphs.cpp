#include "nn/training_graphs.hpp"

#include "nn/gradients.hpp"
#include "nn/operations.hpp"

namespace lipizz::nn {
namespace {

using Access = Slot::Access;

constexpr std::size_t kNSettings = 3;  // learning rate, updates before, loss id

// The slots of the network in training, its settings and its loss.
void add_state(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer) {
  const std::size_t n = parameter_layout(network).n_padded;
  Graph& g = step.graph;
  step.parameters = g.add_slot("parameters", n, Access::kReadWrite);
  step.moments = g.add_slot("moments", n * entry(optimizer.kind).n_moments, Access::kReadWrite);
  step.settings = g.add_slot("settings", kNSettings, Access::kRead);
  step.loss = g.add_slot("loss", 1, Access::kReadWrite);
}

// Gradients laid out like the parameters, so that the optimizer makes one sweep.
void add_update(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer,
                ValueId loss) {
  Graph& g = step.graph;
  const ParameterLayout layout = parameter_layout(network);
  const auto n = static_cast<std::uint32_t>(layout.n_padded);
  const SlotId gradient_slot = g.add_slot("gradients", n, Access::kInternal);
  const auto gradients = add_gradients(g, loss, parameter_values(g, network, step.parameters));
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    g.place(gradients[i], gradient_slot, layout.blocks[i].offset);
  }
  g.place(loss, step.loss, 0);
  const std::uint32_t n_moments = entry(optimizer.kind).n_moments;
  g.apply(kOptimizerStep,
          {g.view(step.parameters, 0, {n}), g.view(step.moments, 0, {n_moments * n}),
           g.view(gradient_slot, 0, {n}), g.view(step.settings, 0, {2})},
          {.optimizer = optimizer});
}

}  // namespace

StepGraph generator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                               std::uint32_t batch) {
  StepGraph step;
  Graph& g = step.graph;
  add_state(step, gan.generator, optimizer);
  step.opponent =
      g.add_slot("discriminator", parameter_layout(gan.discriminator).n_padded, Access::kRead);
  step.noise = g.add_slot("noise", std::size_t{batch} * gan.latent(), Access::kRead);
  const ValueId z = g.view(step.noise, 0, {batch, gan.latent()});
  const ValueId fakes = add_network(g, gan.generator, step.parameters, z);
  const ValueId logits = add_network(g, gan.discriminator, step.opponent, fakes);
  const ValueId loss = g.apply(kGeneratorLoss, {logits, g.view(step.settings, 2, {1})});
  add_update(step, gan.generator, optimizer, loss);
  return step;
}

StepGraph discriminator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                                   std::uint32_t batch) {
  StepGraph step;
  Graph& g = step.graph;
  add_state(step, gan.discriminator, optimizer);
  step.opponent = g.add_slot("generator", parameter_layout(gan.generator).n_padded, Access::kRead);
  step.noise = g.add_slot("noise", std::size_t{batch} * gan.latent(), Access::kRead);
  step.samples = g.add_slot("samples", std::size_t{2} * batch * gan.sample(), Access::kReadWrite);
  const ValueId z = g.view(step.noise, 0, {batch, gan.latent()});
  const ValueId fakes = add_network(g, gan.generator, step.opponent, z);
  g.place(fakes, step.samples, std::size_t{batch} * gan.sample());
  const ValueId all = g.view(step.samples, 0, {2 * batch, gan.sample()});
  const ValueId logits = add_network(g, gan.discriminator, step.parameters, all);
  const ValueId loss = g.apply(kDiscriminatorLoss, {logits, g.view(step.settings, 2, {1})});
  add_update(step, gan.discriminator, optimizer, loss);
  return step;
}

StepGraph classifier_step_graph(const NetworkSpec& network, const OptimizerSpec& optimizer,
                                std::uint32_t batch) {
  StepGraph step;
  Graph& g = step.graph;
  add_state(step, network, optimizer);
  step.samples = g.add_slot("input", std::size_t{batch} * network.inputs, Access::kRead);
  step.noise = g.add_slot("labels", batch, Access::kRead);
  const ValueId x = g.view(step.samples, 0, {batch, network.inputs});
  const ValueId logits = add_network(g, network, step.parameters, x);
  const ValueId loss = g.apply(kCrossEntropy, {logits, g.view(step.noise, 0, {batch})});
  add_update(step, network, optimizer, loss);
  return step;
}

}  // namespace lipizz::nn
