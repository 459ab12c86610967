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

// Each tensor is updated as soon as its gradient is known and the old values are no longer needed:
// both are then still in the cache, and the gradients of different layers share memory.
void add_update(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer,
                ValueId loss) {
  Graph& g = step.graph;
  const ParameterLayout layout = parameter_layout(network);
  const std::vector<ValueId> parameters = parameter_values(g, network, step.parameters);
  const ValueId settings = g.view(step.settings, 0, {2});
  g.place(loss, step.loss, 0);
  add_gradients(g, loss, parameters, [&](std::size_t i, ValueId gradient) {
    const ParameterBlock& block = layout.blocks[i];
    std::vector<ValueId> inputs{parameters[i], gradient, settings};
    for (std::uint32_t m = 0; m < entry(optimizer.kind).n_moments; ++m) {
      inputs.push_back(g.view(step.moments, m * layout.n_padded + block.offset, block.shape));
    }
    g.apply(kOptimizerStep, inputs, {.optimizer = optimizer});
    if (optimizer.clip > 0) {
      g.apply(kClip, {parameters[i]}, {.number = static_cast<float>(optimizer.clip)});
    }
  });
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
  const ValueId fakes = add_network(g, gan.generator, step.parameters, z, Mode::kTraining);
  const ValueId logits = add_network(g, gan.discriminator, step.opponent, fakes, Mode::kFrozen);
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
  const ValueId fakes = add_network(g, gan.generator, step.opponent, z, Mode::kFrozen);
  g.place(fakes, step.samples, std::size_t{batch} * gan.sample());
  const ValueId all = g.view(step.samples, 0, {2 * batch, gan.sample()});
  constexpr std::uint32_t kRealAndFake = 2;
  const ValueId logits =
      add_network(g, gan.discriminator, step.parameters, all, Mode::kTraining, kRealAndFake);
  const ValueId loss = g.apply(kDiscriminatorLoss, {logits, g.view(step.settings, 2, {1})});
  add_update(step, gan.discriminator, optimizer, loss);
  return step;
}

StepGraph classifier_step_graph(const NetworkSpec& network, const OptimizerSpec& optimizer,
                                std::uint32_t batch) {
  StepGraph step;
  Graph& g = step.graph;
  add_state(step, network, optimizer);
  step.samples = g.add_slot("input", std::size_t{batch} * network.n_inputs(), Access::kRead);
  step.noise = g.add_slot("labels", batch, Access::kRead);
  const ValueId x = g.view(step.samples, 0, {batch, network.n_inputs()});
  const ValueId logits = add_network(g, network, step.parameters, x, Mode::kTraining);
  const ValueId loss = g.apply(kCrossEntropy, {logits, g.view(step.noise, 0, {batch})});
  add_update(step, network, optimizer, loss);
  return step;
}

}  // namespace lipizz::nn
