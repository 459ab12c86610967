#include "nn/training_graphs.hpp"

#include <string>

#include "core/error.hpp"
#include "nn/gradients.hpp"
#include "nn/operations.hpp"
#include "nn/operations/scaling.hpp"

namespace lipizz::nn {
namespace {

using Access = Slot::Access;

constexpr std::size_t kNSettings = 3;  // learning rate, updates before, loss id

// The slots of the network in training and its settings.
void add_state(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer) {
  const std::size_t n = parameter_layout(network).n_padded;
  Graph& g = step.graph;
  step.parameters = g.add_slot("parameters", n, Access::kReadWrite);
  step.moments = g.add_slot("moments", n * entry(optimizer.kind).n_moments, Access::kReadWrite);
  step.settings = g.add_slot("settings", kNSettings, Access::kRead);
}

ValueId add_rows(Graph& g, std::optional<SlotId>& slot, std::string name, std::uint32_t n_rows,
                 std::uint32_t width, Access access = Access::kRead) {
  slot = g.add_slot(std::move(name), std::size_t{n_rows} * width, access);
  return g.view(*slot, 0, {n_rows, width});
}

// Of n rows, where the pair asks for classes.
std::optional<ValueId> add_labels(StepGraph& step, const GanSpec& gan, std::uint32_t n) {
  if (gan.n_classes() == 0) return std::nullopt;
  return step.graph.reshape(add_rows(step.graph, step.labels, "labels", n, 1), {n});
}

// Classes of some of the rows.
std::optional<ValueId> part_of(Graph& g, std::optional<ValueId> labels, std::uint32_t first,
                               std::uint32_t n) {
  if (!labels) return std::nullopt;
  return g.part(*labels, first, {n});
}

ValueId add_uniforms(StepGraph& step, Shape shape) {
  const std::string name = "uniforms" + std::to_string(step.uniforms.size());
  step.uniforms.push_back(step.graph.add_slot(name, n_elements(shape), Access::kRead));
  return step.graph.view(step.uniforms.back(), 0, std::move(shape));
}

Pass pass(StepGraph& step, Mode mode, std::optional<ValueId> labels, std::uint32_t groups = 1) {
  return {mode, groups, labels, [&step](Shape shape) { return add_uniforms(step, shape); }};
}

// What the discriminator sees of samples [N, sample].
ValueId add_augmentation(StepGraph& step, const GanSpec& gan, const Augmentation& augmentation,
                         ValueId samples) {
  if (!augmentation.is_any()) return samples;
  Graph& g = step.graph;
  const Shape& image = gan.discriminator.inputs;
  if (image.size() != 3) throw InternalError("only images can be augmented");
  const std::uint32_t n = g.shape(samples).front();
  const ValueId images = g.reshape(samples, {n, image[0], image[1], image[2]});
  return g.apply(kAugment, {images, add_uniforms(step, {n, kNAugmentUniforms})},
                 {.augmentation = augmentation});
}

// All of a batch's logits in a column; a discriminator may give several for each sample.
ValueId column(Graph& g, ValueId logits) {
  return g.reshape(logits, {static_cast<std::uint32_t>(n_elements(g.shape(logits))), 1});
}

// Each tensor is updated as soon as its gradient is known and the old values are no longer needed:
// both are then still in the cache, and the gradients of different layers share memory.
void add_update(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer,
                std::span<const ValueId> losses) {
  Graph& g = step.graph;
  const ParameterLayout layout = parameter_layout(network);
  const std::vector<ValueId> parameters = parameter_values(g, network, step.parameters);
  const ValueId settings = g.view(step.settings, 0, {2});
  step.losses = g.add_slot("losses", losses.size(), Access::kReadWrite);
  for (std::size_t i = 0; i < losses.size(); ++i) g.place(losses[i], step.losses, i);
  add_gradients(g, losses, parameters, [&](std::size_t i, ValueId gradient) {
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

void add_average(StepGraph& step, double decay) {
  Graph& g = step.graph;
  const std::size_t n = g.slots()[step.parameters.index].n_elements;
  const Shape all{static_cast<std::uint32_t>(n)};
  step.average = g.add_slot("average", n, Access::kReadWrite);
  g.apply(kMoveAverage,
          {g.view(*step.average, 0, all), g.view(step.parameters, 0, all),
           g.view(step.settings, 0, {2})},
          {.number = static_cast<float>(decay)});
}

// Where the penalty is taken, from real and generated samples [N, sample].
ValueId penalised_points(StepGraph& step, const Penalty& penalty, ValueId real, ValueId fakes) {
  constexpr float kReach = 0.5;
  Graph& g = step.graph;
  switch (penalty.where) {
    case Penalty::Where::kAtReal:
      return real;
    case Penalty::Where::kInterpolated:
      return g.apply(kBetween, {real, fakes, add_uniforms(step, {g.shape(real).front(), 1})});
    case Penalty::Where::kNearReal:
      return g.apply(kAround, {real, add_uniforms(step, g.shape(real))}, {.number = kReach});
  }
  throw InternalError("an unknown place of a penalty");
}

// |d logit / d sample|^2 of each, and from it the penalty: a derivative that is itself a value.
ValueId add_penalty(StepGraph& step, const GanSpec& gan, const StepOptions& options, ValueId points,
                    std::optional<ValueId> labels) {
  Graph& g = step.graph;
  const ValueId logits =
      add_network(g, gan.discriminator, step.parameters, points, pass(step, Mode::kFrozen, labels));
  const ValueId ones = g.apply(kFill, {}, {.shape = g.shape(logits), .number = 1});
  const ValueId slope = add_derivatives(g, logits, ones, std::span(&points, 1)).front();
  return g.apply(
      kPenalty, {row_products(g, slope, slope)},
      {.number = static_cast<float>(options.penalty_weight), .penalty = options.penalty});
}

}  // namespace

StepGraph generator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                               std::uint32_t batch, const StepOptions& options) {
  StepGraph step;
  Graph& g = step.graph;
  add_state(step, gan.generator, optimizer);
  step.opponent =
      g.add_slot("discriminator", parameter_layout(gan.discriminator).n_padded, Access::kRead);
  const ValueId inputs = add_rows(g, step.inputs, "inputs", batch, gan.generator.n_inputs());
  const auto labels = add_labels(step, gan, batch);
  const ValueId fakes =
      add_network(g, gan.generator, step.parameters, inputs, pass(step, Mode::kTraining, labels));
  const ValueId seen = add_augmentation(step, gan, options.augmentation, fakes);
  const ValueId logits =
      add_network(g, gan.discriminator, *step.opponent, seen, pass(step, Mode::kFrozen, labels));
  std::vector<ValueId> losses{
      g.apply(kGeneratorLoss, {column(g, logits), g.view(step.settings, 2, {1})})};
  if (gan.n_condition_channels > 0 && options.l1_weight > 0) {
    const ValueId real = add_rows(g, step.samples, "samples", batch, gan.sample());
    losses.push_back(
        g.apply(kAbsoluteError, {fakes, real},
                {.number = static_cast<float>(options.l1_weight / gan.generated_share())}));
  }
  add_update(step, gan.generator, optimizer, losses);
  if (options.average_decay > 0) add_average(step, options.average_decay);
  return step;
}

StepGraph discriminator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                                   std::uint32_t batch, const StepOptions& options) {
  StepGraph step;
  Graph& g = step.graph;
  add_state(step, gan.discriminator, optimizer);
  step.opponent = g.add_slot("generator", parameter_layout(gan.generator).n_padded, Access::kRead);
  const ValueId inputs = add_rows(g, step.inputs, "inputs", batch, gan.generator.n_inputs());
  const ValueId all =
      add_rows(g, step.samples, "samples", 2 * batch, gan.sample(), Access::kReadWrite);
  const auto labels = add_labels(step, gan, 2 * batch);
  const ValueId fakes = add_network(g, gan.generator, *step.opponent, inputs,
                                    pass(step, Mode::kFrozen, part_of(g, labels, batch, batch)));
  g.place(fakes, *step.samples, std::size_t{batch} * gan.sample());
  const ValueId seen = add_augmentation(step, gan, options.augmentation, all);
  constexpr std::uint32_t kRealAndFake = 2;
  const ValueId logits = add_network(g, gan.discriminator, step.parameters, seen,
                                     pass(step, Mode::kTraining, labels, kRealAndFake));
  std::vector<ValueId> losses{
      g.apply(kDiscriminatorLoss, {column(g, logits), g.view(step.settings, 2, {1})})};
  if (options.penalty) {
    const ValueId real = g.view(*step.samples, 0, {batch, gan.sample()});
    const ValueId points = penalised_points(step, *options.penalty, real, fakes);
    losses.push_back(add_penalty(step, gan, options, points, part_of(g, labels, 0, batch)));
  }
  add_update(step, gan.discriminator, optimizer, losses);
  return step;
}

StepGraph classifier_step_graph(const NetworkSpec& network, const OptimizerSpec& optimizer,
                                std::uint32_t batch) {
  StepGraph step;
  Graph& g = step.graph;
  add_state(step, network, optimizer);
  const ValueId x = add_rows(g, step.samples, "samples", batch, network.n_inputs());
  const ValueId labels = g.reshape(add_rows(g, step.labels, "labels", batch, 1), {batch});
  const ValueId logits =
      add_network(g, network, step.parameters, x, pass(step, Mode::kTraining, labels));
  const ValueId loss = g.apply(kCrossEntropy, {logits, labels});
  add_update(step, network, optimizer, std::span(&loss, 1));
  return step;
}

}  // namespace lipizz::nn
