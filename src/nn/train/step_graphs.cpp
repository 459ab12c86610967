#include "nn/train/step_graphs.hpp"

#include <string>
#include <utility>

#include "core/error.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/graph/gradients.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/operations/broadcasting.hpp"

namespace lipizz::nn {
namespace {

using Access = Slot::Access;

// A step in the making: where its inputs come from is decided here alone.
class StepBuilder {
 public:
  StepBuilder(StepGraph& step, const GanSpec& gan, std::uint32_t batch, const StepForm& form)
      : step_(step), gan_(gan), batch_(batch), form_(form) {}

  // The slots of the network in training and its settings.
  void add_state(const NetworkSpec& network, const OptimizerSpec& optimizer) {
    add_slots(step_, network, optimizer,
              is_drawn() ? StepSettings::kIndices + batch_ : StepSettings::kInputs,
              is_drawn() ? Access::kSetting : Access::kRead);
  }

  static void add_slots(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer,
                        std::size_t n_settings, Access settings) {
    const std::size_t n = parameter_layout(network).n_padded;
    Graph& g = step.graph;
    step.parameters = g.add_slot("parameters", n, Access::kReadWrite);
    step.moments = g.add_slot("moments", n * entry(optimizer.kind).n_moments, Access::kReadWrite);
    step.settings = g.add_slot("settings", n_settings, settings);
  }

  // Noise, or the conditions of the samples.
  ValueId inputs() {
    const std::uint32_t width = gan_.generator.n_inputs();
    if (!is_drawn()) return handed(step_.inputs, "inputs", batch_, width);
    if (gan_.n_condition_channels == 0) {
      return graph().apply(kNormals, {draw(StepSettings::kInputs)}, {.shape = {batch_, width}});
    }
    const Shape& image = gan_.discriminator.inputs;
    const ValueId images = graph().reshape(real(), {batch_, image[0], image[1], image[2]});
    const ValueId conditions =
        graph().apply(kSliceChannels, {images}, {.shape = {gan_.n_condition_channels}});
    return graph().reshape(conditions, {batch_, width});
  }

  // Real samples [batch, sample].
  ValueId real() {
    if (!real_) {
      real_ = is_drawn() ? graph().apply(kSamples, {indices()}, {.source = form_.source})
                         : handed(step_.samples, "samples", batch_, gan_.sample());
    }
    return *real_;
  }

  // Real ones in front of as many fakes, and where the latter lie.
  ValueId real_and_fakes() {
    const Shape all{2 * batch_, gan_.sample()};
    if (!is_drawn()) {
      return handed(step_.samples, "samples", all[0], all[1], Access::kReadWrite);
    }
    step_.samples = graph().add_slot("samples", n_elements(all), Access::kInternal);
    graph().place(real(), *step_.samples, 0);
    return graph().view(*step_.samples, 0, all);
  }
  ValueId real_of(ValueId all) {
    return is_drawn() ? real() : graph().slice(all, 0, {batch_, gan_.sample()});
  }

  // Classes of the rows of inputs, where the pair asks for any.
  std::optional<ValueId> labels() {
    if (gan_.n_classes() == 0) return std::nullopt;
    return is_drawn() ? classes_in_turn() : handed_labels(batch_);
  }
  // The labels of real rows in front of those of inputs.
  std::optional<ValueId> labels_of_both() {
    if (gan_.n_classes() == 0) return std::nullopt;
    if (!is_drawn()) return handed_labels(2 * batch_);
    const SlotId slot = graph().add_slot("labels", std::size_t{2} * batch_, Access::kInternal);
    graph().place(graph().apply(kLabels, {indices()}, {.source = form_.source}), slot, 0);
    graph().place(classes_in_turn(), slot, batch_);
    return graph().view(slot, 0, {2 * batch_});
  }

  ValueId uniforms(Shape shape) {
    const std::size_t first = step_.n_uniforms;
    step_.n_uniforms += n_elements(shape);
    if (is_drawn()) {
      return graph().apply(kUniforms, {draw(StepSettings::kUniforms)},
                           {.shape = std::move(shape), .offset = first});
    }
    const std::string name = "uniforms" + std::to_string(step_.uniforms.size());
    step_.uniforms.push_back(graph().add_slot(name, n_elements(shape), Access::kRead));
    return graph().view(step_.uniforms.back(), 0, std::move(shape));
  }

  Graph& graph() { return step_.graph; }
  [[nodiscard]] bool updates_together() const { return form_.updates_together; }

 private:
  [[nodiscard]] bool is_drawn() const { return form_.source != nullptr; }
  ValueId draw(std::size_t place) { return graph().view(step_.settings, place, {Draw::kSize}); }
  ValueId indices() { return graph().view(step_.settings, StepSettings::kIndices, {batch_}); }
  ValueId classes_in_turn() {
    return graph().apply(kClassesInTurn, {draw(StepSettings::kInputs)},
                         {.shape = {batch_}, .groups = gan_.n_classes()});
  }
  ValueId handed_labels(std::uint32_t n) {
    return graph().reshape(handed(step_.labels, "labels", n, 1), {n});
  }

  ValueId handed(std::optional<SlotId>& slot, std::string name, std::uint32_t n_rows,
                 std::uint32_t width, Access access = Access::kRead) {
    slot = graph().add_slot(std::move(name), std::size_t{n_rows} * width, access);
    return graph().view(*slot, 0, {n_rows, width});
  }

  StepGraph& step_;
  const GanSpec& gan_;
  std::uint32_t batch_;
  const StepForm& form_;
  std::optional<ValueId> real_;
};

// Classes of some of the rows.
std::optional<ValueId> slice_of(Graph& g, std::optional<ValueId> labels, std::uint32_t first,
                                std::uint32_t n) {
  if (!labels) return std::nullopt;
  return g.slice(*labels, first, {n});
}

Pass pass(StepBuilder& step, Mode mode, std::optional<ValueId> labels,
          std::uint32_t n_batches = 1) {
  return {mode, n_batches, labels,
          [&step](Shape shape) { return step.uniforms(std::move(shape)); }};
}

// Augments samples [N, sample] before the discriminator.
ValueId add_augmentation(StepBuilder& step, const GanSpec& gan, const Augmentation& augmentation,
                         ValueId samples) {
  if (!augmentation.is_any()) return samples;
  Graph& g = step.graph();
  const Shape& image = gan.discriminator.inputs;
  if (image.size() != 3) throw InternalError("only images can be augmented");
  const std::uint32_t n = g.shape(samples).front();
  const ValueId images = g.reshape(samples, {n, image[0], image[1], image[2]});
  return g.apply(kAugment, {images, step.uniforms({n, kNAugmentUniforms})},
                 {.augmentation = augmentation});
}

// All of a batch's logits in a column; a discriminator may give several for each sample.
ValueId column(Graph& g, ValueId logits) {
  return g.reshape(logits, {static_cast<std::uint32_t>(n_elements(g.shape(logits))), 1});
}

// The update of a range of parameters that begins at `offset` of their buffer.
void add_update_of(StepGraph& step, const OptimizerSpec& optimizer, std::size_t n_padded,
                   ValueId parameters, ValueId gradient, std::size_t offset) {
  Graph& g = step.graph;
  const Shape shape = g.shape(parameters);
  std::vector<ValueId> inputs{parameters, gradient,
                              g.view(step.settings, 0, {StepSettings::kNOfUpdate})};
  for (std::uint32_t m = 0; m < entry(optimizer.kind).n_moments; ++m) {
    inputs.push_back(g.view(step.moments, m * n_padded + offset, shape));
  }
  g.apply(kOptimizerStep, inputs, {.optimizer = optimizer});
  if (optimizer.weight_clip > 0) {
    g.apply(kWeightClip, {parameters}, {.number = static_cast<float>(optimizer.weight_clip)});
  }
}

// Each tensor is updated as soon as its gradient is known and the old values are no longer needed:
// both are then still in the cache, and the gradients of different layers share memory.
void add_updates_one_by_one(StepGraph& step, const NetworkSpec& network,
                            const OptimizerSpec& optimizer, std::span<const ValueId> losses) {
  const ParameterLayout layout = parameter_layout(network);
  const std::vector<ValueId> parameters = parameter_values(step.graph, network, step.parameters);
  add_gradients(step.graph, losses, parameters, [&](std::size_t i, ValueId gradient) {
    add_update_of(step, optimizer, layout.n_padded, parameters[i], gradient,
                  layout.blocks[i].offset);
  });
}

// Makes the value lie there: as it is, where it has a place of its own to give up, or as a copy.
void place_or_copy(Graph& g, ValueId value, SlotId slot, std::size_t offset) {
  const auto [owner, shift] = g.storage(value);
  const Node& node = g.node(owner);
  const auto n = static_cast<std::uint32_t>(n_elements(g.shape(value)));
  const bool is_free =
      node.operation != nullptr && !node.location && shift == 0 && n_elements(node.shape) == n;
  if (is_free) return g.place(value, slot, offset);
  g.place(g.apply(kSliceChannels, {g.slice(value, 0, {1, n})}, {.shape = {n}}), slot, offset);
}

// Gradients lie as the parameters do, so that one operation updates all.
void add_updates_together(StepGraph& step, const NetworkSpec& network,
                          const OptimizerSpec& optimizer, std::span<const ValueId> losses) {
  Graph& g = step.graph;
  const ParameterLayout layout = parameter_layout(network);
  const std::vector<ValueId> parameters = parameter_values(g, network, step.parameters);
  const SlotId all = g.add_slot("gradients", layout.n_parameters, Access::kInternal);
  const std::vector<ValueId> gradients = add_gradients(g, losses, parameters);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    place_or_copy(g, gradients[i], all, layout.blocks[i].offset);
  }
  const Shape shape{static_cast<std::uint32_t>(layout.n_parameters)};
  add_update_of(step, optimizer, layout.n_padded, g.view(step.parameters, 0, shape),
                g.view(all, 0, shape), 0);
}

void add_update(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer,
                std::span<const ValueId> losses, bool is_together = false) {
  Graph& g = step.graph;
  step.losses = g.add_slot("losses", losses.size(), Access::kReadWrite);
  for (std::size_t i = 0; i < losses.size(); ++i) g.place(losses[i], step.losses, i);
  (is_together ? add_updates_together : add_updates_one_by_one)(step, network, optimizer, losses);
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
PenalisedPoints penalised_points(StepBuilder& step, const Penalty& penalty, ValueId all,
                                 ValueId fakes, std::optional<ValueId> labels) {
  constexpr float kReach = 0.5;
  Graph& g = step.graph();
  const std::uint32_t n = g.shape(fakes).front();
  if (penalty.where == Penalty::Where::kAtBoth) {
    return {all, pass(step, Mode::kFrozen, labels, kRealAndFake)};
  }
  const Pass of_real = pass(step, Mode::kFrozen, slice_of(g, labels, 0, n));
  const ValueId real = step.real_of(all);
  switch (penalty.where) {
    case Penalty::Where::kAtReal:
      return {real, of_real};
    case Penalty::Where::kInterpolated:
      return {g.apply(kInterpolate, {real, fakes, step.uniforms({n, 1})}), of_real};
    case Penalty::Where::kNearReal:
      return {g.apply(kPerturb, {real, step.uniforms(g.shape(real))}, {.number = kReach}), of_real};
    case Penalty::Where::kAtBoth:
      break;
  }
  throw InternalError("an unknown place of a penalty");
}

// |d logit / d sample|^2 of each, and from it the penalty: a derivative that is itself a value.
ValueId add_penalty(StepGraph& step, const StepOptions& options, ValueId logits, ValueId samples) {
  Graph& g = step.graph;
  const ValueId ones = g.apply(kFill, {}, {.shape = g.shape(logits), .number = 1});
  const ValueId slope = add_derivatives(g, logits, ones, std::span(&samples, 1)).front();
  return g.apply(
      kPenalty,
      {row_products(g, slope, slope), g.view(step.settings, StepSettings::kProgress, {1})},
      {.number = static_cast<float>(options.penalty_weight),
       .number_change = static_cast<float>(options.penalty_change),
       .penalty = options.penalty});
}

}  // namespace

StepGraph generator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                               std::uint32_t batch, const StepOptions& options,
                               const StepForm& form) {
  StepGraph step;
  StepBuilder builder(step, gan, batch, form);
  Graph& g = step.graph;
  builder.add_state(gan.generator, optimizer);
  step.opponent =
      g.add_slot("discriminator", parameter_layout(gan.discriminator).n_padded, Access::kRead);
  const auto logits_of = [&](ValueId samples, std::optional<ValueId> labels) {
    const ValueId seen = add_augmentation(builder, gan, options.augmentation, samples);
    return column(g, add_network(g, gan.discriminator, *step.opponent, seen,
                                 pass(builder, Mode::kFrozen, labels)));
  };
  std::optional<ValueId> labels;
  std::optional<ValueId> real_logits;
  if (options.is_relativistic) {
    const auto of_both = builder.labels_of_both();
    labels = slice_of(g, of_both, batch, batch);
    real_logits = logits_of(builder.real(), slice_of(g, of_both, 0, batch));
  } else {
    labels = builder.labels();
  }
  const ValueId fakes = add_network(g, gan.generator, step.parameters, builder.inputs(),
                                    pass(builder, Mode::kTraining, labels));
  std::vector<ValueId> terms{logits_of(fakes, labels),
                             g.view(step.settings, StepSettings::kLoss, {1})};
  if (real_logits) terms.push_back(*real_logits);
  std::vector<ValueId> losses{g.apply(kGeneratorLoss, terms)};
  if (gan.n_condition_channels > 0 && options.l1_weight > 0) {
    losses.push_back(
        g.apply(kAbsoluteError, {fakes, builder.real()},
                {.number = static_cast<float>(options.l1_weight / gan.generated_share())}));
  }
  add_update(step, gan.generator, optimizer, losses, form.updates_together);
  if (options.average_decay > 0) add_average(step, options.average_decay);
  return step;
}

StepGraph discriminator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                                   std::uint32_t batch, const StepOptions& options,
                                   const StepForm& form) {
  StepGraph step;
  StepBuilder builder(step, gan, batch, form);
  Graph& g = step.graph;
  builder.add_state(gan.discriminator, optimizer);
  step.opponent = g.add_slot("generator", parameter_layout(gan.generator).n_padded, Access::kRead);
  const ValueId all = builder.real_and_fakes();
  const ValueId inputs = builder.inputs();
  const auto labels = builder.labels_of_both();
  const ValueId fakes =
      add_network(g, gan.generator, *step.opponent, inputs,
                  pass(builder, Mode::kFrozen, slice_of(g, labels, batch, batch)));
  g.place(fakes, *step.samples, std::size_t{batch} * gan.sample());
  const ValueId seen = add_augmentation(builder, gan, options.augmentation, all);
  const std::size_t n_uniforms = step.n_uniforms;
  const ValueId logits = add_network(g, gan.discriminator, step.parameters, seen,
                                     pass(builder, Mode::kTraining, labels, kRealAndFake));
  std::vector<ValueId> losses{g.apply(
      kDiscriminatorLoss, {column(g, logits), g.view(step.settings, StepSettings::kLoss, {1})})};
  if (options.penalty) {
    const PenalisedPoints points = penalised_points(builder, *options.penalty, all, fakes, labels);
    // Where another pass over the same samples would give the same logits, it is left out.
    const bool is_plain =
        parameter_layout(gan.discriminator).statistics.empty() && step.n_uniforms == n_uniforms;
    const ValueId of_points =
        is_plain && points.samples == seen
            ? logits
            : add_network(g, gan.discriminator, step.parameters, points.samples, points.how);
    losses.push_back(add_penalty(step, options, of_points, points.samples));
  }
  add_update(step, gan.discriminator, optimizer, losses, form.updates_together);
  return step;
}

StepGraph classifier_step_graph(const NetworkSpec& network, const OptimizerSpec& optimizer,
                                std::uint32_t batch) {
  StepGraph step;
  Graph& g = step.graph;
  StepBuilder::add_slots(step, network, optimizer, StepSettings::kInputs, Access::kRead);
  step.samples = g.add_slot("samples", std::size_t{batch} * network.n_inputs(), Access::kRead);
  step.labels = g.add_slot("labels", batch, Access::kRead);
  const ValueId labels = g.view(*step.labels, 0, {batch});
  const ValueId x = g.view(*step.samples, 0, {batch, network.n_inputs()});
  const ValueId logits =
      add_network(g, network, step.parameters, x, {.mode = Mode::kTraining, .labels = labels});
  const ValueId loss = g.apply(kCrossEntropy, {logits, labels});
  add_update(step, network, optimizer, std::span(&loss, 1));
  return step;
}

}  // namespace lipizz::nn
