#include "nn/train/step_graphs.hpp"

#include <string>
#include <utility>

#include "core/error.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/graph/gradients.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/operations/broadcasting.hpp"
#include "nn/train/descent.hpp"
#include "nn/train/micro_batch.hpp"

namespace lipizz::nn {
namespace {

using Access = Slot::Access;

// The slots of the network in training and its settings.
void add_state(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer,
               std::size_t n_settings, Access settings) {
  const std::size_t n = parameter_layout(network).n_padded;
  Graph& g = step.graph;
  step.parameters = g.add_slot("parameters", n, Access::kReadWrite);
  step.moments = g.add_slot("moments", n * entry(optimizer.kind).n_moments, Access::kReadWrite);
  step.settings = g.add_slot("settings", n_settings, settings);
}

// Classes of some of the rows.
std::optional<ValueId> slice_of(Graph& g, std::optional<ValueId> labels, std::uint32_t first,
                                std::uint32_t n) {
  if (!labels) return std::nullopt;
  return g.slice(*labels, first, {n});
}

// Augments samples [N, sample] before the discriminator.
ValueId add_augmentation(Graph& g, MicroBatch& part, const GanSpec& gan,
                         const Augmentation& augmentation, ValueId samples) {
  if (!augmentation.is_any()) return samples;
  const Shape& image = gan.discriminator.inputs;
  if (image.size() != 3) throw InternalError("only images can be augmented");
  const std::uint32_t n = g.shape(samples).front();
  const ValueId images = g.reshape(samples, {n, image[0], image[1], image[2]});
  return g.apply(kAugment, {images, part.uniforms({n, kNAugmentUniforms})},
                 {.augmentation = augmentation});
}

// All of a batch's logits in a column; a discriminator may give several for each sample.
ValueId column(Graph& g, ValueId logits) {
  return g.reshape(logits, {static_cast<std::uint32_t>(n_elements(g.shape(logits))), 1});
}

void add_average(StepGraph& step, double decay) {
  Graph& g = step.graph;
  const std::size_t n = g.slots()[step.parameters.index].n_elements;
  const Shape all{static_cast<std::uint32_t>(n)};
  step.average = g.add_slot("average", n, Access::kReadWrite);
  g.apply(kUpdateEma,
          {g.view(*step.average, 0, all), g.view(step.parameters, 0, all),
           g.view(step.settings, 0, {StepSettings::kNOfUpdate})},
          {.number = static_cast<float>(decay)});
}

constexpr std::uint32_t kRealAndFake = 2;

// Where the penalty is taken, and how the discriminator looks at it.
struct PenalisedPoints {
  ValueId samples;
  Pass how;
};

// From real and generated samples [N, sample], and `all`, the former in front of the latter.
PenalisedPoints penalised_points(Graph& g, MicroBatch& part, const Penalty& penalty, ValueId all,
                                 ValueId fakes, std::optional<ValueId> labels) {
  constexpr float kReach = 0.5;
  const std::uint32_t n = part.n_rows();
  if (penalty.where == Penalty::Where::kAtBoth) {
    return {all, part.pass(Mode::kFrozen, labels, kRealAndFake)};
  }
  const Pass of_real = part.pass(Mode::kFrozen, slice_of(g, labels, 0, n));
  const ValueId real = part.real_of(all);
  switch (penalty.where) {
    case Penalty::Where::kAtReal:
      return {real, of_real};
    case Penalty::Where::kInterpolated:
      return {g.apply(kInterpolate, {real, fakes, part.uniforms({n, 1})}), of_real};
    case Penalty::Where::kNearReal:
      return {g.apply(kPerturb, {real, part.uniforms(g.shape(real))}, {.number = kReach}), of_real};
    case Penalty::Where::kAtBoth:
      break;
  }
  throw InternalError("an unknown place of a penalty");
}

// |d logit / d sample|^2 of each, and from it the penalty: a derivative that is itself a value.
ValueId add_penalty(StepGraph& step, const StepOptions& options, float share, ValueId logits,
                    ValueId samples) {
  Graph& g = step.graph;
  const ValueId ones = g.apply(kFill, {}, {.shape = g.shape(logits), .number = 1});
  const ValueId slope = add_derivatives(g, logits, ones, std::span(&samples, 1)).front();
  return g.apply(
      kPenalty,
      {row_products(g, slope, slope), g.view(step.settings, StepSettings::kProgress, {1})},
      {.number = share * static_cast<float>(options.penalty_weight),
       .number_change = share * static_cast<float>(options.penalty_change),
       .penalty = options.penalty});
}

// Those of a micro-batch of the generator's step.
std::vector<ValueId> generator_losses(StepGraph& step, MicroBatch& part, const GanSpec& gan,
                                      const StepOptions& options) {
  Graph& g = step.graph;
  const auto logits_of = [&](ValueId samples, std::optional<ValueId> labels) {
    const ValueId seen = add_augmentation(g, part, gan, options.augmentation, samples);
    return column(g, add_network(g, gan.discriminator, *step.opponent, seen,
                                 part.pass(Mode::kFrozen, labels)));
  };
  const std::uint32_t n = part.n_rows();
  std::optional<ValueId> labels;
  std::optional<ValueId> real_logits;
  if (options.is_relativistic) {
    const auto of_both = part.labels_of_both();
    labels = slice_of(g, of_both, n, n);
    real_logits = logits_of(part.real(), slice_of(g, of_both, 0, n));
  } else {
    labels = part.labels();
  }
  const ValueId fakes = add_network(g, gan.generator, step.parameters, part.inputs(),
                                    part.pass(Mode::kTraining, labels));
  std::vector<ValueId> terms{logits_of(fakes, labels),
                             g.view(step.settings, StepSettings::kLoss, {1})};
  if (real_logits) terms.push_back(*real_logits);
  std::vector<ValueId> losses{g.apply(kGeneratorLoss, terms, {.number = part.share()})};
  if (gan.n_condition_channels > 0 && options.l1_weight > 0) {
    const auto weight = static_cast<float>(options.l1_weight / gan.generated_share());
    losses.push_back(
        g.apply(kAbsoluteError, {fakes, part.real()}, {.number = part.share() * weight}));
  }
  return losses;
}

// Those of a micro-batch of the discriminator's step.
std::vector<ValueId> discriminator_losses(StepGraph& step, MicroBatch& part, const GanSpec& gan,
                                          const StepOptions& options) {
  Graph& g = step.graph;
  const std::uint32_t n = part.n_rows();
  const ValueId all = part.real_and_fakes();
  const ValueId inputs = part.inputs();
  const auto labels = part.labels_of_both();
  const ValueId fakes = add_network(g, gan.generator, *step.opponent, inputs,
                                    part.pass(Mode::kFrozen, slice_of(g, labels, n, n)));
  part.place_fakes(fakes);
  const ValueId seen = add_augmentation(g, part, gan, options.augmentation, all);
  const std::size_t n_uniforms = part.n_uniforms();
  const ValueId logits = add_network(g, gan.discriminator, step.parameters, seen,
                                     part.pass(Mode::kTraining, labels, kRealAndFake));
  std::vector<ValueId> losses{g.apply(
      kDiscriminatorLoss, {column(g, logits), g.view(step.settings, StepSettings::kLoss, {1})},
      {.number = part.share()})};
  if (!options.penalty) return losses;
  const PenalisedPoints points = penalised_points(g, part, *options.penalty, all, fakes, labels);
  // Where another pass over the same samples would give the same logits, it is left out.
  const bool is_plain =
      parameter_layout(gan.discriminator).statistics.empty() && part.n_uniforms() == n_uniforms;
  const ValueId of_points =
      is_plain && points.samples == seen
          ? logits
          : add_network(g, gan.discriminator, step.parameters, points.samples, points.how);
  losses.push_back(add_penalty(step, options, part.share(), of_points, points.samples));
  return losses;
}

// The networks of a step, and how its losses come about.
struct StepOf {
  const NetworkSpec& trained;
  const NetworkSpec& opponent;
  std::vector<ValueId> (*losses)(StepGraph&, MicroBatch&, const GanSpec&, const StepOptions&);
};

Descent::Updates updates_for(const MicroBatches& parts, const OptimizerSpec& optimizer,
                             const StepForm& form) {
  using enum Descent::Updates;
  const bool are_at_once = (form.is_forked && parts.n > 1) || parts.collectives != nullptr;
  if (are_at_once) return kTogetherFromApart;
  const bool is_summed = parts.n > 1 || optimizer.clip_norm > 0;
  return is_summed || form.updates_together ? kTogether : kOneByOne;
}

StepGraph step_graph(const GanSpec& gan, const StepOf& of, const OptimizerSpec& optimizer,
                     std::uint32_t batch, const StepOptions& options, const StepForm& form) {
  StepGraph step;
  if (form.source != nullptr) {
    add_state(step, of.trained, optimizer, StepSettings::kIndices + batch, Access::kSetting);
  } else {
    add_state(step, of.trained, optimizer, StepSettings::kInputs, Access::kRead);
  }
  step.opponent =
      step.graph.add_slot("opponent", parameter_layout(of.opponent).n_padded, Access::kRead);
  Batch whole{step, gan, batch, form,
              micro_batches(batch, options.n_micro_batches, form.collectives)};
  const MicroBatches& parts = whole.parts;
  const bool is_forked = form.is_forked && parts.n > 1;
  Descent descent(step, of.trained, optimizer, updates_for(parts, optimizer, form), parts);
  for (const Rows rows : std::span(parts.all).subspan(parts.first, parts.n)) {
    if (is_forked) step.graph.set_branch(step.graph.branch() + 1);
    MicroBatch part(whole, rows);
    descent.add(of.losses(step, part, gan, options));
  }
  if (is_forked) step.graph.set_branch(Graph::kAfterJoin);
  add_running_updates(whole);
  descent.finish();
  return step;
}

}  // namespace

StepGraph generator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                               std::uint32_t batch, const StepOptions& options,
                               const StepForm& form) {
  StepGraph step = step_graph(gan, {gan.generator, gan.discriminator, generator_losses}, optimizer,
                              batch, options, form);
  if (options.average_decay > 0) add_average(step, options.average_decay);
  return step;
}

StepGraph discriminator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                                   std::uint32_t batch, const StepOptions& options,
                                   const StepForm& form) {
  return step_graph(gan, {gan.discriminator, gan.generator, discriminator_losses}, optimizer, batch,
                    options, form);
}

StepGraph classifier_step_graph(const NetworkSpec& network, const OptimizerSpec& optimizer,
                                std::uint32_t batch) {
  StepGraph step;
  Graph& g = step.graph;
  add_state(step, network, optimizer, StepSettings::kInputs, Access::kRead);
  step.samples = g.add_slot("samples", std::size_t{batch} * network.n_inputs(), Access::kRead);
  step.labels = g.add_slot("labels", batch, Access::kRead);
  const ValueId labels = g.view(*step.labels, 0, {batch});
  const ValueId x = g.view(*step.samples, 0, {batch, network.n_inputs()});
  const ValueId logits =
      add_network(g, network, step.parameters, x, {.mode = Mode::kTraining, .labels = labels});
  const ValueId loss = g.apply(kCrossEntropy, {logits, labels});
  Descent descent(step, network, optimizer, Descent::Updates::kOneByOne);
  descent.add({loss});
  descent.finish();
  return step;
}

}  // namespace lipizz::nn
