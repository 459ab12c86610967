#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "nn/base/optimizer.hpp"
#include "nn/network/network.hpp"
#include "nn/network/network_stages.hpp"
#include "nn/train/gradient_buckets.hpp"
#include "nn/train/micro_batch.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn {

/// The way from a step's losses to gradients, and from these to an update of the network in
/// training.
class Descent {
 public:
  enum class Updates {
    /// Each tensor as soon as its gradient is known and the old values are no longer needed: both
    /// are then still in the cache, and the gradients of different layers share memory. For
    /// one micro-batch, whose gradient is not checked.
    kOneByOne,
    /// All together at the end, by the sums of the micro-batches' gradients, which lie as the
    /// parameters do and are added up as they come.
    kTogether,
    /// The same where micro-batches are computed at the same time: their gradients are kept apart
    /// until all are known, or, where ranks share out gradients, go to the ranks that add them up.
    kTogetherFromApart,
  };

  /// `step` has slots for parameters, moments and settings, its shard is of the own stage; all
  /// arguments must outlive it. `stages`: of the network in a pipeline; null: there is none.
  Descent(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer,
          Updates updates, const MicroBatches& parts = {}, const NetworkStages* stages = nullptr);

  /// Appends the gradients of the losses of the next of the micro-batches that are computed here.
  void add(const std::vector<ValueId>& losses);
  /// Those of all of them at once, where micro-batches depend on each other: each has sets of the
  /// network's tensors of its own, in layout order, and its losses stand in their order. In place
  /// of add(), with kTogetherFromApart.
  void add_together(const std::vector<ValueId>& losses,
                    std::span<const std::vector<ValueId>> tensors);
  /// Appends what is left to do, after the join if there are branches, and gives the step the slot
  /// of its losses. Once.
  void finish();

  /// After that: the settings of the update at a stage, and of one that may be left out those of
  /// all stages, otherwise none.
  [[nodiscard]] ValueId settings(std::uint32_t stage);
  [[nodiscard]] std::span<const ValueId> guarded() const { return guarded_; }

 private:
  Graph& graph() { return step_.graph; }
  static std::vector<SharedRange> ranges_of(const ParameterLayout& layout,
                                            const NetworkStages* stages,
                                            const Collectives* sharers);
  [[nodiscard]] bool is_apart() const { return updates_ == Updates::kTogetherFromApart; }
  [[nodiscard]] Collectives* sharers() const;
  [[nodiscard]] bool shares(ZeroStage what) const {
    return sharers() != nullptr && optimizer_.zero >= what;
  }
  [[nodiscard]] std::optional<ValueId> scale_of(const std::vector<ValueId>& losses);
  void need_sums();
  [[nodiscard]] std::size_t range_of(std::size_t offset) const;
  [[nodiscard]] std::size_t place_in_rows(std::uint32_t row, std::size_t offset) const;
  void add_up(std::size_t tensor, ValueId gradient);
  void keep_apart(std::uint32_t row, std::size_t tensor, ValueId gradient);
  void add_up_rows();
  void add_up_apart();
  void add_up_apart_at(std::uint32_t stage);
  [[nodiscard]] ValueId sums(std::size_t first, Shape shape);
  [[nodiscard]] ValueId sums(const Shard& part);
  void update_all();
  void gather_updated();
  void check_gradients();
  void gather_squares();
  void unscale_and_clip();
  void clip(ValueId values, double limit);
  void guard_updates();
  [[nodiscard]] ValueId squares_of_all();
  void add_squares(ValueId gradient, std::size_t block);
  void add_squares_within(std::uint32_t stage);
  void add_squares_across(const Shard& block);
  [[nodiscard]] std::vector<Shard> blocks_across_stages() const;
  [[nodiscard]] SlotId join_block(const Shard& block);
  void update(ValueId parameters, ValueId gradient, std::size_t offset);

  StepGraph& step_;
  const OptimizerSpec& optimizer_;
  Updates updates_;
  ParameterLayout layout_;
  std::vector<ValueId> parameters_;
  MicroBatches parts_;
  std::vector<SharedRange> ranges_;  // at different stages; one without. Own: updated here

  std::uint32_t n_added_ = 0;   // micro-batches
  std::vector<SlotId> rows_;    // gradients of each micro-batch, for each range; sums on the first
  std::optional<SlotId> sums_;  // of gradients [n_parameters], where there are no rows
  std::deque<GradientBuckets> buckets_;  // for each range, where gradients are shared out
  std::optional<SlotId> squares_;  // squared lengths of these sums' blocks, where they are checked
  std::vector<ValueId> guarded_;   // settings of the update at each stage, where they are checked
  std::vector<ValueId> losses_;
};

}  // namespace lipizz::nn
