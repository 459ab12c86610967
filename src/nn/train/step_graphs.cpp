#include "nn/train/step_graphs.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "nn/base/drawn_numbers.hpp"
#include "nn/graph/gathered_parameters.hpp"
#include "nn/graph/gradients.hpp"
#include "nn/graph/mixed_precision.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/operations/broadcasting.hpp"
#include "nn/graph/packed_values.hpp"
#include "nn/graph/pipeline_stage.hpp"
#include "nn/train/descent.hpp"
#include "nn/train/gradient_buckets.hpp"
#include "nn/train/micro_batch.hpp"
#include "nn/train/rank_parts.hpp"

namespace lipizz::nn {
namespace {

using Access = Slot::Access;

// The slots of the network in training and its settings.
void add_state(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer,
               std::size_t n_settings, const Shard& shard, const StepForm& form) {
  const std::size_t n = parameter_layout(network).n_padded;
  Graph& g = step.graph;
  step.parameters = g.add_slot("parameters", n, Access::kReadWrite);
  step.shard = shard;
  for (std::uint32_t m = 0; m < entry(optimizer.kind).n_moments && step.shard.n > 0; ++m) {
    step.moments.push_back(g.add_slot({.name = "moment " + std::to_string(m),
                                       .n_elements = step.shard.n,
                                       .access = Access::kReadWrite,
                                       .is_on_host = optimizer.moments_on_host}));
  }
  const Access access = form.source != nullptr ? Access::kSetting : Access::kRead;
  step.settings = g.add_slot("settings", n_settings, access);
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

// The average of what is up to date here.
void add_average(StepGraph& step, double decay, ValueId settings) {
  Graph& g = step.graph;
  const std::size_t n = g.slots()[step.parameters.index].n_elements;
  step.average = g.add_slot("average", n, Access::kReadWrite);
  for (const Shard& range : step.stage.trained) {
    const Shape shape{static_cast<std::uint32_t>(range.n)};
    g.apply(kUpdateEma,
            {g.view(*step.average, range.first, shape), g.view(step.parameters, range.first, shape),
             settings},
            {.number = static_cast<float>(decay)});
  }
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

// Micro-batches that are put together side by side.
struct StepParts {
  const Batch& batch;
  StepGraph& step;
  const GanSpec& gan;
  const StepOptions& options;
  std::span<MicroBatch> parts;
  std::optional<BatchParts>
      together{};  // batch norm looks at all of these; none: at each by itself
  std::vector<std::vector<ValueId>> tensors{};  // of the network in training, for each part

  [[nodiscard]] std::size_t n() const { return parts.size(); }

  [[nodiscard]] std::span<const std::uint32_t> stage_of_layer(const NetworkSpec& network) const {
    return batch.stages_of(network).of_layer;
  }
  // Operations that are added from now on are where the discriminator begins, or at the last stage,
  // where it ends.
  void at_discriminator() { step.graph.set_stage(batch.stages.discriminator.first()); }
  void at_last_stage() {
    const Pipeline* const pipeline = batch.form.pipeline;
    step.graph.set_stage(pipeline == nullptr ? 0 : pipeline->n_stages() - 1);
  }
};

// |d logit / d sample|^2 of each, and from it the penalty: a derivative that is itself a value.
ValueId add_penalty(StepParts& of_step, float share, ValueId logits, ValueId samples) {
  const StepOptions& options = of_step.options;
  Graph& g = of_step.step.graph;
  of_step.at_last_stage();
  ValueId ones = g.apply(kFill, {}, {.shape = g.shape(logits), .number = 1});
  if (of_step.batch.scales_losses) {
    ones = g.apply(kScaleBy, {ones, loss_scale_number(of_step.step, LossScale::kScale)});
  }
  ValueId slope = add_derivatives(g, logits, ones, std::span(&samples, 1)).front();
  of_step.at_discriminator();
  if (of_step.batch.scales_losses) {
    slope = g.apply(kScaleBy, {slope, loss_scale_number(of_step.step, LossScale::kInverse)});
  }
  const ValueId squares = row_products(g, slope, slope);
  of_step.at_last_stage();
  return g.apply(kPenalty, {squares, g.view(of_step.step.settings, StepSettings::kProgress, {1})},
                 {.number = share * static_cast<float>(options.penalty_weight),
                  .number_change = share * static_cast<float>(options.penalty_change),
                  .penalty = options.penalty});
}

using OfParts = std::vector<ValueId>;

// One value for each part, as `of` gives it.
template <class Of>
OfParts of_each(StepParts& of_step, const Of& of) {
  OfParts all;
  for (std::size_t i = 0; i < of_step.n(); ++i) all.push_back(of(i));
  return all;
}

// The passes of all parts through a network.
OfParts add_passes(StepParts& of_step, const NetworkSpec& network, SlotId parameters,
                   const OfParts& xs, std::vector<Pass> passes) {
  const bool is_trained = parameters == of_step.step.parameters;
  std::vector<PartOfBatch> parts;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    passes[i].stage_of_layer = of_step.stage_of_layer(network);
    if (of_step.together) {
      passes[i].divided_weights = nullptr;
      passes[i].iterates_power = i == 0;
    }
    parts.push_back({xs[i], std::move(passes[i])});
    if (is_trained && of_step.together) parts.back().tensors = of_step.tensors[i];
  }
  return add_network(of_step.step.graph, network, parameters, parts,
                     of_step.together ? &*of_step.together : nullptr);
}

using Labels = std::vector<std::optional<ValueId>>;

std::vector<Pass> passes_of(StepParts& of_step, Mode mode, const Labels& labels,
                            std::uint32_t n_batches = 1) {
  std::vector<Pass> passes;
  for (std::size_t i = 0; i < of_step.n(); ++i) {
    passes.push_back(of_step.parts[i].pass(mode, labels[i], n_batches));
  }
  return passes;
}

// D(x) with D frozen, in columns.
OfParts frozen_logits(StepParts& of_step, const OfParts& samples, const Labels& labels) {
  Graph& g = of_step.step.graph;
  of_step.at_discriminator();
  const OfParts seen = of_each(of_step, [&](std::size_t i) {
    return add_augmentation(g, of_step.parts[i], of_step.gan, of_step.options.augmentation,
                            samples[i]);
  });
  const OfParts logits = add_passes(of_step, of_step.gan.discriminator, *of_step.step.opponent,
                                    seen, passes_of(of_step, Mode::kFrozen, labels));
  return of_each(of_step, [&](std::size_t i) { return column(g, logits[i]); });
}

// The discriminator's logits where one part's penalty is taken; its batch norm looks at that part.
ValueId add_penalised_pass(StepParts& of_step, std::size_t i, const PenalisedPoints& points) {
  PartOfBatch part{points.samples, points.how};
  part.pass.stage_of_layer = of_step.stage_of_layer(of_step.gan.discriminator);
  if (of_step.together) part.tensors = of_step.tensors[i];
  return add_network(of_step.step.graph, of_step.gan.discriminator, of_step.step.parameters,
                     std::span(&part, 1), nullptr)
      .front();
}

using Losses = std::vector<std::vector<ValueId>>;

// Those of each micro-batch of the generator's step.
Losses generator_losses(StepParts& of_step) {
  Graph& g = of_step.step.graph;
  const auto& [gan, options] = std::tie(of_step.gan, of_step.options);
  Labels labels(of_step.n());
  OfParts real_logits;
  if (options.is_relativistic) {
    Labels of_real(of_step.n());
    for (std::size_t i = 0; i < of_step.n(); ++i) {
      const std::uint32_t n = of_step.parts[i].n_rows();
      const auto of_both = of_step.parts[i].labels_of_both();
      labels[i] = slice_of(g, of_both, n, n);
      of_real[i] = slice_of(g, of_both, 0, n);
    }
    const OfParts real = of_each(of_step, [&](std::size_t i) { return of_step.parts[i].real(); });
    real_logits = frozen_logits(of_step, real, of_real);
  } else {
    for (std::size_t i = 0; i < of_step.n(); ++i) labels[i] = of_step.parts[i].labels();
  }
  const OfParts inputs = of_each(of_step, [&](std::size_t i) { return of_step.parts[i].inputs(); });
  const OfParts fakes = add_passes(of_step, gan.generator, of_step.step.parameters, inputs,
                                   passes_of(of_step, Mode::kTraining, labels));
  const OfParts logits = frozen_logits(of_step, fakes, labels);
  of_step.at_last_stage();
  Losses losses(of_step.n());
  for (std::size_t i = 0; i < of_step.n(); ++i) {
    MicroBatch& part = of_step.parts[i];
    std::vector<ValueId> terms{logits[i], g.view(of_step.step.settings, StepSettings::kLoss, {1})};
    if (options.is_relativistic) terms.push_back(real_logits[i]);
    losses[i] = {g.apply(kGeneratorLoss, terms, {.number = part.share()})};
    if (gan.n_condition_channels > 0 && options.l1_weight > 0) {
      const auto weight = static_cast<float>(options.l1_weight / gan.generated_share());
      losses[i].push_back(
          g.apply(kAbsoluteError, {fakes[i], part.real()}, {.number = part.share() * weight}));
    }
  }
  return losses;
}

// Those of each micro-batch of the discriminator's step.
Losses discriminator_losses(StepParts& of_step) {
  Graph& g = of_step.step.graph;
  const auto& [gan, options] = std::tie(of_step.gan, of_step.options);
  const std::size_t n = of_step.n();
  OfParts all(n);
  OfParts inputs(n);
  Labels labels(n);
  Labels of_fakes(n);
  for (std::size_t i = 0; i < n; ++i) {
    MicroBatch& part = of_step.parts[i];
    all[i] = part.real_and_fakes();
    inputs[i] = part.inputs();
    labels[i] = part.labels_of_both();
    of_fakes[i] = slice_of(g, labels[i], part.n_rows(), part.n_rows());
  }
  const OfParts fakes = add_passes(of_step, gan.generator, *of_step.step.opponent, inputs,
                                   passes_of(of_step, Mode::kFrozen, of_fakes));
  OfParts seen(n);
  std::vector<std::size_t> n_uniforms(n);
  of_step.at_discriminator();
  for (std::size_t i = 0; i < n; ++i) {
    of_step.parts[i].place_fakes(fakes[i]);
    seen[i] = add_augmentation(g, of_step.parts[i], gan, options.augmentation, all[i]);
    n_uniforms[i] = of_step.parts[i].n_uniforms();
  }
  const OfParts logits = add_passes(of_step, gan.discriminator, of_step.step.parameters, seen,
                                    passes_of(of_step, Mode::kTraining, labels, kRealAndFake));
  of_step.at_last_stage();
  Losses losses(n);
  const bool has_statistics = !parameter_layout(gan.discriminator).statistics.empty();
  for (std::size_t i = 0; i < n; ++i) {
    MicroBatch& part = of_step.parts[i];
    losses[i] = {
        g.apply(kDiscriminatorLoss,
                {column(g, logits[i]), g.view(of_step.step.settings, StepSettings::kLoss, {1})},
                {.number = part.share()})};
    if (!options.penalty) continue;
    of_step.at_discriminator();
    const PenalisedPoints points =
        penalised_points(g, part, *options.penalty, all[i], fakes[i], labels[i]);
    // Where another pass over the same samples would give the same logits, it is left out.
    const bool is_plain = !has_statistics && part.n_uniforms() == n_uniforms[i];
    const ValueId of_points =
        is_plain && points.samples == seen[i] ? logits[i] : add_penalised_pass(of_step, i, points);
    losses[i].push_back(add_penalty(of_step, part.share(), of_points, points.samples));
  }
  return losses;
}

// The networks of a step, and how its losses come about.
struct StepOf {
  const NetworkSpec& trained;
  const NetworkSpec& opponent;
  Losses (*losses)(StepParts&);
};

Collectives* replicas_of(const StepForm& form) {
  return form.pipeline != nullptr ? form.pipeline->other_replicas() : form.collectives;
}

ShardedParameters sharded_parameters(SlotId slot, const NetworkSpec& network,
                                     const NetworkStages& stages, const Collectives& ranks) {
  const ParameterLayout layout = parameter_layout(network);
  ShardedParameters sharded{slot, {}};
  for (const NetworkStages::Tensors& stage : stages.tensors) {
    const Shard own = shard_of(stage.parameters, ranks.rank(), ranks.size());
    for (const Shard& bucket : parameter_buckets(layout, stage.parameters)) {
      sharded.buckets.push_back({bucket, intersection(own, bucket)});
    }
  }
  return sharded;
}

Descent::Updates updates_for(const MicroBatches& parts, const OptimizerSpec& optimizer,
                             const StepForm& form, bool is_synchronised) {
  using enum Descent::Updates;
  const bool are_at_once =
      (form.is_forked && parts.n() > 1) || parts.collectives != nullptr || is_synchronised;
  if (are_at_once) return kTogetherFromApart;
  const bool is_summed = parts.n() > 1 || optimizer.checks_gradients() || form.pipeline != nullptr;
  const bool is_told_at_once = form.updates_together || optimizer.moments_on_host;
  return is_summed || is_told_at_once ? kTogether : kOneByOne;
}

void add_one_by_one(Batch& batch, const StepOf& of, const StepOptions& options, Descent& descent) {
  const MicroBatches& parts = batch.parts;
  Graph& g = batch.step.graph;
  const bool has_branches =
      (batch.form.is_forked && parts.n() > 1) || batch.form.pipeline != nullptr;
  for (const Rows rows : parts.own) {
    if (has_branches) g.set_branch(g.branch() + 1);
    MicroBatch part(batch, rows);
    StepParts of_step{batch, batch.step, batch.gan, options, std::span(&part, 1)};
    descent.add(of.losses(of_step).front());
  }
  if (has_branches) g.set_branch(Graph::kAfterJoin);
}

// Where ranks exchange gradients and parameters in the middle of a pass, all do so in the same
// order.
void check_sharing(const StepForm& form, std::uint32_t batch, std::uint32_t n_micro_batches) {
  if (form.is_forked) throw InternalError("threads do not share out gradients and parameters");
  if (form.pipeline != nullptr && batch % n_micro_batches != 0) {
    throw InternalError("replicas of a pipeline that share out gradients have micro-batches of " +
                        std::to_string(batch) + " rows in " + std::to_string(n_micro_batches));
  }
}

// Each micro-batch looks at values of its own for the network in training, so that what it makes
// of their gradients can be told apart and added up in order.
void add_together(Batch& batch, const StepOf& of, const StepOptions& options, Descent& descent) {
  const MicroBatches& parts = batch.parts;
  Graph& g = batch.step.graph;
  std::vector<MicroBatch> own;
  for (const Rows rows : parts.own) {
    own.emplace_back(batch, rows);
  }
  StepParts of_step{
      batch,
      batch.step,
      batch.gan,
      options,
      own,
      BatchParts{batch.n_rows, static_cast<std::uint32_t>(parts.all.size()), parts.collectives}};
  for (std::uint32_t i = 0; i < parts.n(); ++i) {
    std::vector<ValueId>& tensors = of_step.tensors.emplace_back();
    for (const ValueId tensor : parameter_values(g, of.trained, batch.step.parameters)) {
      tensors.push_back(g.apply(kSlice, {tensor}, {.shape = g.shape(tensor)}));
    }
  }
  std::vector<ValueId> losses;
  for (const std::vector<ValueId>& of_part : of.losses(of_step)) {
    losses.insert(losses.end(), of_part.begin(), of_part.end());
  }
  descent.add_together(losses, of_step.tensors);
}

// The generator's moving average is part of its step.
StepGraph step_graph(const GanSpec& gan, const StepOf& of, const OptimizerSpec& asked,
                     std::uint32_t batch, const StepOptions& options, const StepForm& form,
                     double average_decay = 0) {
  StepGraph step;
  OptimizerSpec optimizer = asked;
  Collectives* const sharers = replicas_of(form);
  optimizer.zero = zero_stage(asked, options, sharers);
  const ZeroStage of_opponent = zero_stage({.zero = options.zero_of_opponent}, options, sharers);
  Batch whole{step,
              gan,
              batch,
              form,
              micro_batches(batch, options.n_micro_batches, sharers),
              pair_stages(gan, form.pipeline)};
  const NetworkStages& stages = whole.stages_of(of.trained);
  const NetworkStages& opponent_stages = whole.stages_of(of.opponent);
  const std::uint32_t own_stage = form.pipeline == nullptr ? 0 : form.pipeline->stage();
  const NetworkShare trained = network_share(stages.tensors[own_stage], optimizer.zero, sharers);
  add_state(step, of.trained, optimizer,
            form.source != nullptr ? StepSettings::kIndices + batch : StepSettings::kInputs,
            trained.updated, form);
  step.opponent =
      step.graph.add_slot("opponent", parameter_layout(of.opponent).n_padded, Access::kRead);
  const bool is_synchronised = options.sync_batch_norm && whole.parts.all.size() > 1 &&
                               (looks_at_batches(of.trained) || looks_at_batches(of.opponent));
  if (is_synchronised && (form.is_forked || form.pipeline != nullptr)) {
    throw InternalError("batch norm is not synchronised between threads or in pipelines");
  }
  whole.is_synchronised = is_synchronised;
  whole.scales_losses = optimizer.mixed.scales_losses();
  if (optimizer.zero > ZeroStage::kMoments || of_opponent == ZeroStage::kParameters) {
    check_sharing(form, batch, options.n_micro_batches);
  }
  Descent descent(step, of.trained, optimizer,
                  updates_for(whole.parts, optimizer, form, is_synchronised), whole.parts, &stages);
  if (is_synchronised) {
    add_together(whole, of, options, descent);
  } else {
    add_one_by_one(whole, of, options, descent);
  }
  descent.finish();
  add_running_updates(whole, descent.guarded());
  step.stage = {trained.held(),
                network_share(opponent_stages.tensors[own_stage], of_opponent, sharers).held()};
  step.graph.set_stage(own_stage);
  if (average_decay > 0) add_average(step, average_decay, descent.settings(step.graph.stage()));
  const std::optional<Half> format = optimizer.mixed.format;
  if (format) step.graph = with_rounded_values(step.graph, *format);
  std::vector<ShardedParameters> sharded;
  if (optimizer.zero == ZeroStage::kParameters) {
    sharded.push_back(sharded_parameters(step.parameters, of.trained, stages, *sharers));
  }
  if (of_opponent == ZeroStage::kParameters) {
    sharded.push_back(sharded_parameters(*step.opponent, of.opponent, opponent_stages, *sharers));
  }
  if (!sharded.empty()) step.graph = with_gathered_parameters(step.graph, sharded, *sharers);
  if (form.pipeline != nullptr) {
    PipelineStage stage = pipeline_stage(step.graph, *form.pipeline);
    step.graph = std::move(stage.graph);
    step.stage.bubble = stage.bubble;
  } else {
    step.graph.trim_internal_slots();
  }
  if (format) step.graph = with_packed_values(step.graph);
  return step;
}

}  // namespace

StepForm form_on(const Engine& engine, const SampleSource& source) {
  return {.source = &source,
          .is_forked = engine.n_threads > 1,
          .collectives = engine.collectives,
          .pipeline = pipeline_of(engine)};
}

ValueId loss_scale_state(StepGraph& step) {
  Graph& g = step.graph;
  return g.view(*step.loss_scale, g.stage() * LossScale::kSize, {LossScale::kSize});
}

ValueId loss_scale_number(StepGraph& step, std::size_t number) {
  Graph& g = step.graph;
  return g.view(*step.loss_scale, g.stage() * LossScale::kSize + number, {1});
}

StepGraph generator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                               std::uint32_t batch, const StepOptions& options,
                               const StepForm& form) {
  return step_graph(gan, {gan.generator, gan.discriminator, generator_losses}, optimizer, batch,
                    options, form, options.average_decay);
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
  add_state(step, network, optimizer, StepSettings::kInputs,
            {0, parameter_layout(network).n_padded}, {});
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
