#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "nn/base/augmentation.hpp"
#include "nn/base/collectives.hpp"
#include "nn/base/engine.hpp"
#include "nn/base/optimizer.hpp"
#include "nn/base/penalty.hpp"
#include "nn/base/pipeline.hpp"
#include "nn/base/sample_source.hpp"
#include "nn/base/shard.hpp"
#include "nn/graph/graph.hpp"
#include "nn/network/models.hpp"

namespace lipizz::nn {

/// The options of a step beside its loss.
struct StepOptions {
  Augmentation augmentation{};       // of all that the discriminator sees
  const Penalty* penalty = nullptr;  // the discriminator's; none: null
  double penalty_weight = 10;
  double penalty_change = 0;  // what the discriminator's schedule has added to that at its end
  double l1_weight = 0;       // the generator's, of mean |real - generated| of paired samples
  double average_decay = 0;   // of the generator's moving average; 0: none is kept
  /// True where a generator's loss may be relativistic: its step then sees real samples as well.
  bool is_relativistic = false;
  /// The batch is computed in so many parts, whose gradients are added up
  /// (gradient accumulation): the same step in the memory that a part needs. Each has as many rows,
  /// the first ones one more where that does not come out even. Batch norm and the penalty dragan
  /// look at statistics of samples, and see a part at a time; running statistics are updated by
  /// each. Steps that do not draw for themselves have one.
  std::uint32_t n_micro_batches = 1;
  /// Batch norm looks at the whole batch instead (synchronised batch norm): the step is that of one
  /// micro-batch but for rounding and, where they are taken apart from the losses, penalties. The
  /// values of all micro-batches of a rank are then there at once. Not on several threads.
  bool sync_batch_norm = false;
  /// The opponent's, where several ranks compute: with kParameters each holds its shard of it.
  ZeroStage zero_of_opponent = ZeroStage::kMoments;
  /// Those of the opponent's own step; 0: as many.
  std::uint32_t n_micro_batches_of_opponent = 0;

  /// Ranks that divide this number have as many micro-batches each in both steps.
  [[nodiscard]] std::uint32_t n_common_micro_batches() const {
    return std::gcd(n_micro_batches, n_micro_batches_of_opponent);
  }
};

/// How a step comes by its inputs, and how it is put together; no form changes what a step is.
struct StepForm {
  /// The step draws for itself: noise, classes, uniform numbers, and samples by their indices from
  /// here. Null: its caller hands it all of that.
  const SampleSource* source = nullptr;
  /// All parameters are updated at the end in as few operations as can be, as devices like it;
  /// otherwise each as soon as its gradient is known, which caches do.
  bool updates_together = false;
  /// Micro-batches are branches of the graph (Graph::set_branch), for devices that compute these at
  /// the same time; the bits are the same.
  bool is_forked = false;
  /// These ranks compute the micro-batches in turn, and share out what the optimizer's stage of
  /// ZeRO says. Null: all is computed here. The bits are the same.
  Collectives* collectives = nullptr;
  /// The ranks of a pipeline compute a stage of each micro-batch, and the step is what this one
  /// does (nn/graph/pipeline_stage.hpp): it reads and updates the tensors of its stage alone. Its
  /// replicas are in place of `collectives`; where they share out gradients, micro-batches have as
  /// many rows each. Null: there is none. The bits are the same. Batch norm is not synchronised in
  /// it.
  const Pipeline* pipeline = nullptr;
};

/// As the engine's threads and ranks ask for it, of a step that draws for itself.
StepForm form_on(const Engine& engine, const SampleSource& source);

/// The layout of a step's settings, [n_settings].
struct StepSettings {
  // An update is told of these: learning rate, updates before, progress of the schedule from 0 to
  // 1, and whether it is left out (0: no).
  static constexpr std::size_t kRate = 0, kStep = 1, kProgress = 2, kLeftOut = 3, kNOfUpdate = 4;
  static constexpr std::size_t kLoss = kNOfUpdate;
  // Settings of steps that draw for themselves: inputs, uniform numbers
  // (nn/base/drawn_numbers.hpp), indices.
  static constexpr std::size_t kInputs = kLoss + 1, kUniforms = kInputs + 5,
                               kIndices = kUniforms + 5;
};

/// A whole training step as a graph, with the slots that its caller binds or, of settings, writes.
/// Those of inputs, samples, labels and uniforms are for the caller to fill where it hands them,
/// and say nothing where the step draws for itself.
struct StepGraph {
  Graph graph;
  SlotId parameters{};            // of the network in training, [n_padded], updated
  Shard shard{};                  // of them, that is updated here (NetworkShare::updated)
  std::vector<SlotId> moments{};  // each [shard.n], updated; none where that is 0
  SlotId settings{};              // as StepSettings says
  SlotId losses{};                // before the update, of this rank; the sum of all is minimised;
                                  // written by the last stage
  std::optional<SlotId> opponent{};  // parameters of the frozen network, [n_padded]
  std::optional<SlotId> average{};   // of the parameters, [n_padded], updated
  /// Where gradients are checked, what LossScale says of each stage of a pipeline, or of the only
  /// one there is [stages * LossScale::kSize]; that of the own stage is updated.
  std::optional<SlotId> loss_scale{};
  /// The part of a pipeline that this rank is, or all of a step.
  struct Stage {
    /// The parts of both networks, and of the average, that the step looks at, none of them empty.
    std::vector<Shard> trained{}, opponent{};
    double bubble = 0;  // PipelineStage::bubble
  };
  Stage stage{};
  std::optional<SlotId> inputs{};   // the generator's, [batch, inputs]
  std::optional<SlotId> samples{};  // real ones, [batch, sample]; with space for as many fakes
  std::optional<SlotId> labels{};   // classes of the samples' rows
  std::vector<SlotId> uniforms{};   // random numbers in [0, 1)
  std::size_t n_uniforms = 0;       // of all of them, handed or drawn, one after the other
};

/// The state of the loss scale at the stage that the graph is at [LossScale::kSize], and one number
/// of it [1].
ValueId loss_scale_state(StepGraph& step);
ValueId loss_scale_number(StepGraph& step, std::size_t number);

/// inputs -> G -> D -> loss -> gradients by G's parameters -> update.
/// For paired samples `samples` are those whose conditions the inputs are; with a relativistic loss
/// they are those that the generated ones are compared with, and labels those of both, [2 * batch],
/// the real ones' first. Labels: otherwise [batch].
StepGraph generator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                               std::uint32_t batch, const StepOptions& options = {},
                               const StepForm& form = {});

/// inputs -> G (frozen); real rows and fakes through D in one pass -> loss -> gradients -> update.
/// `samples` holds 2 * batch rows: the caller fills the first half, G writes the second. Labels: of
/// both, [2 * batch].
StepGraph discriminator_step_graph(const GanSpec& gan, const OptimizerSpec& optimizer,
                                   std::uint32_t batch, const StepOptions& options = {},
                                   const StepForm& form = {});

/// samples -> network -> softmax cross-entropy -> gradients -> update. Labels: [batch].
StepGraph classifier_step_graph(const NetworkSpec& network, const OptimizerSpec& optimizer,
                                std::uint32_t batch);

}  // namespace lipizz::nn
