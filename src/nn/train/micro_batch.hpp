#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nn/network/layers.hpp"
#include "nn/network/models.hpp"
#include "nn/network/network_stages.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {

/// Rows of a batch.
struct Rows {
  std::uint32_t first = 0;
  std::uint32_t n = 0;
};

/// The micro-batches of a batch, in order. Ranks compute them in turn: rank r of R the r-th, the
/// one R behind it, and so on, so that sums over the first ones of all ranks, then the second ones,
/// are in the order of micro-batches.
struct MicroBatches {
  std::vector<Rows> all;
  std::vector<Rows> own;               // those that are computed here; one at least
  Collectives* collectives = nullptr;  // of the ranks that compute the others; null: there are none

  [[nodiscard]] std::uint32_t n() const { return static_cast<std::uint32_t>(own.size()); }
  [[nodiscard]] std::uint32_t n_ranks() const {
    return collectives == nullptr ? 1 : collectives->size();
  }
};

/// As StepOptions::n_micro_batches and StepForm::collectives say. InternalError where there is
/// none, or one without rows, or a rank without any.
MicroBatches micro_batches(std::uint32_t batch, std::uint32_t n,
                           Collectives* collectives = nullptr);

/// The batch of a step in the making, and what its micro-batches share.
struct Batch {
  StepGraph& step;
  const GanSpec& gan;
  std::uint32_t n_rows;
  const StepForm& form;
  MicroBatches parts{};
  PairStages stages{};                           // one each where there is no pipeline
  std::map<ValueId, ValueId> divided_weights{};  // Pass::divided_weights
  bool is_synchronised = false;                  // batch norm looks at all of it
  bool scales_losses = false;                    // of the network in training

  /// Running statistics, and those of a micro-batch that update them once all are computed.
  struct RunningUpdate {
    ValueId running, statistics;
    Attributes attributes;
    std::uint32_t n_rows;  // of the micro-batch
    std::uint32_t stage;   // that has them
  };
  std::vector<RunningUpdate> running_updates{};

  [[nodiscard]] const NetworkStages& stages_of(const NetworkSpec& network) const {
    return &network == &gan.generator ? stages.generator : stages.discriminator;
  }
};

/// Appends these updates, in the order of micro-batches, those of all ranks. `guarded`: the
/// settings of the network's update at each stage, where it may be left out; otherwise empty.
void add_running_updates(Batch& batch, std::span<const ValueId> guarded);

/// The inputs of a micro-batch, as values of the step: drawn by it, or slots for its caller to fill
/// (StepForm). A row of the batch has the same inputs however the batch is cut.
class MicroBatch {
 public:
  /// The batch must outlive it. InternalError unless all rows of the batch are its own, or drawn by
  /// the step.
  MicroBatch(Batch& batch, Rows rows);

  [[nodiscard]] std::uint32_t n_rows() const { return rows_.n; }
  /// The part of the batch that these rows are.
  [[nodiscard]] float share() const {
    return static_cast<float>(rows_.n) / static_cast<float>(batch_.n_rows);
  }

  /// The generator's [rows, inputs]: noise, or the conditions of the real samples.
  ValueId inputs();
  /// Real samples [rows, sample].
  ValueId real();
  /// Classes of the rows of inputs [rows], where the pair asks for any.
  std::optional<ValueId> labels();

  /// Real samples in front of as many fakes [2 * rows, sample]: place_fakes() says which. Once, in
  /// place of real().
  ValueId real_and_fakes();
  void place_fakes(ValueId fakes);
  /// The former of these.
  ValueId real_of(ValueId real_and_fakes);
  /// Their classes [2 * rows].
  std::optional<ValueId> labels_of_both();

  /// Random numbers in [0, 1), new ones for each call: for the rows, or for as many real ones in
  /// front of as many fakes [rows or 2 * rows, ...].
  ValueId uniforms(Shape shape);
  /// How many there are so far, of the whole batch.
  [[nodiscard]] std::size_t n_uniforms() const { return n_uniforms_; }

  /// The pass of a network over these rows.
  Pass pass(Mode mode, std::optional<ValueId> labels, std::uint32_t n_batches = 1);

 private:
  [[nodiscard]] bool is_drawn() const { return batch_.form.source != nullptr; }
  [[nodiscard]] bool is_all() const { return rows_.n == batch_.n_rows; }
  Graph& graph() { return batch_.step.graph; }
  ValueId from_source(const Operation& operation);
  void keep_running_update(ValueId running, ValueId statistics, const Attributes& update);
  ValueId draw(std::size_t place);
  ValueId indices();
  ValueId classes_in_turn();
  ValueId drawn(Shape shape, std::size_t first);
  ValueId drawn_in_parts(const Shape& shape, std::size_t first);
  ValueId handed(std::optional<SlotId>& slot, std::string name, std::uint32_t n_rows,
                 std::uint32_t width, Slot::Access access = Slot::Access::kRead);
  ValueId handed_labels(std::uint32_t n);

  Batch& batch_;
  Rows rows_;
  std::optional<ValueId> real_;
  std::optional<SlotId> samples_;  // real_and_fakes()
  std::size_t n_uniforms_ = 0;
};

}  // namespace lipizz::nn
