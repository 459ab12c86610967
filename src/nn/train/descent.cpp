#include "nn/train/descent.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "nn/graph/gradients.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn {
namespace {

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

std::vector<Shard> ranges_of(const ParameterLayout& layout, const NetworkStages* stages) {
  if (stages == nullptr) return {{0, layout.n_parameters}};
  std::vector<Shard> ranges;
  for (const NetworkStages::Tensors& tensors : stages->tensors) {
    ranges.push_back(tensors.parameters);
  }
  return ranges;
}

}  // namespace

Descent::Descent(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer,
                 Updates updates, const MicroBatches& parts, const NetworkStages* stages)
    : step_(step),
      optimizer_(optimizer),
      updates_(updates),
      layout_(parameter_layout(network)),
      parameters_(parameter_values(step.graph, network, step.parameters)),
      parts_(parts),
      ranges_(ranges_of(layout_, stages)) {
  if (!optimizer.checks_gradients()) return;
  step.loss_scale =
      graph().add_slot("loss scale", ranges_.size() * LossScale::kSize, Slot::Access::kReadWrite);
}

// The ranks that share out the update; null: each makes all of it.
Collectives* Descent::sharers() const {
  return optimizer_.zero == ZeroStage::kNothing ? nullptr : parts_.collectives;
}

void Descent::add(const std::vector<ValueId>& losses) {
  LIPIZZ_ASSERT(updates_ != Updates::kOneByOne ||
                (losses_.empty() && !optimizer_.checks_gradients()));
  if (updates_ != Updates::kOneByOne) need_sums();
  const auto ready = [this](std::size_t i, ValueId gradient) {
    if (sums_) {
      add_up(i, gradient);
    } else {
      update(parameters_[i], gradient, layout_.blocks[i].offset);
    }
  };
  add_gradients(graph(), losses, parameters_, ready, scale_of(losses));
  losses_.insert(losses_.end(), losses.begin(), losses.end());
  ++n_added_;
}

void Descent::add_together(const std::vector<ValueId>& losses,
                           std::span<const std::vector<ValueId>> tensors) {
  LIPIZZ_ASSERT(is_apart() && tensors.size() == parts_.n());
  need_sums();
  std::vector<ValueId> all;
  for (const auto& of_part : tensors) all.insert(all.end(), of_part.begin(), of_part.end());
  const std::size_t n = layout_.blocks.size();
  const auto ready = [&](std::size_t i, ValueId gradient) {
    keep_apart(static_cast<std::uint32_t>(i / n), i % n, gradient);
  };
  add_gradients(graph(), losses, all, ready, scale_of(losses));
  losses_.insert(losses_.end(), losses.begin(), losses.end());
}

// The factor of losses, if there is any, at the stage that they are at.
std::optional<ValueId> Descent::scale_of(const std::vector<ValueId>& losses) {
  if (!optimizer_.mixed.scales_losses()) return std::nullopt;
  graph().set_stage(graph().node(losses.front()).stage);
  return loss_scale_number(step_, LossScale::kScale);
}

// Without stages the sum lies on the first of the rows; where gradients are shared out it is this
// rank's shard, which may be empty.
void Descent::need_sums() {
  if (sums_) return;
  if (shares(ZeroStage::kGradients)) {
    const std::size_t n = std::max<std::size_t>(own_range().n, 1);
    sums_ = graph().add_slot("gradients", n, Slot::Access::kInternal);
    buckets_.emplace(graph(), layout_, *sums_, *sharers());
    return;
  }
  const auto add_slot = [this](std::size_t n_rows, const Shard& range) {
    return graph().add_slot("gradients", n_rows * range.n, Slot::Access::kInternal);
  };
  if (is_apart()) {
    for (const Shard& range : ranges_) rows_.push_back(add_slot(parts_.n(), range));
  }
  const bool is_on_rows = is_apart() && ranges_.size() == 1;
  sums_ = is_on_rows ? rows_.front() : add_slot(1, {0, layout_.n_parameters});
}

// Which of the ranges that is in.
std::size_t Descent::range_of(std::size_t offset) const {
  const auto holds = [offset](const Shard& range) {
    return offset >= range.first && offset < range.end();
  };
  return static_cast<std::size_t>(std::ranges::find_if(ranges_, holds) - ranges_.begin());
}

std::size_t Descent::place_in_rows(std::uint32_t row, std::size_t offset) const {
  const Shard& range = ranges_[range_of(offset)];
  return row * range.n + offset - range.first;
}

void Descent::add_up(std::size_t tensor, ValueId gradient) {
  if (is_apart()) return keep_apart(n_added_, tensor, gradient);
  const std::size_t offset = layout_.blocks[tensor].offset;
  if (n_added_ == 0) return place_or_copy(graph(), gradient, *sums_, offset);
  const ValueId sum = graph().view(*sums_, offset, graph().shape(gradient));
  graph().place(graph().apply(kAdd, {sum, gradient}), *sums_, offset);
}

void Descent::keep_apart(std::uint32_t row, std::size_t tensor, ValueId gradient) {
  if (buckets_) return buckets_->add(row, tensor, gradient);
  const std::size_t offset = layout_.blocks[tensor].offset;
  place_or_copy(graph(), gradient, rows_[range_of(offset)], place_in_rows(row, offset));
}

// The sums of these parameters' gradients.
ValueId Descent::sums(std::size_t first, Shape shape) {
  return graph().view(*sums_, first - (buckets_ ? own_range().first : 0), std::move(shape));
}

// In the order of micro-batches, as when they are computed one after the other. Where ranks share
// the update, this rank's shard alone.
void Descent::add_up_apart() {
  Graph& g = graph();
  if (buckets_) return buckets_->finish();
  if (parts_.collectives == nullptr) {
    const auto n = static_cast<std::uint32_t>(layout_.n_parameters);
    const ValueId sum = g.view(*sums_, 0, {n});
    for (std::uint32_t i = 1; i < parts_.n(); ++i) {
      g.place(g.apply(kAdd, {sum, g.view(*sums_, i * layout_.n_parameters, {n})}), *sums_, 0);
    }
    return;
  }
  const Attributes attributes{.collectives = parts_.collectives};
  for (std::uint32_t stage = 0; stage < ranges_.size(); ++stage) {
    const Shard& range = ranges_[stage];
    if (range.n == 0) continue;
    g.set_stage(stage);
    const ValueId rows = g.view(rows_[stage], 0, {parts_.n(), static_cast<std::uint32_t>(range.n)});
    if (sharers() != nullptr) {
      g.apply(kReduceScatter, {rows}, attributes);
    } else {
      g.place(g.apply(kAllReduce, {rows}, attributes), *sums_, range.first);
    }
  }
}

void Descent::finish() {
  step_.losses = graph().add_slot("losses", losses_.size(), Slot::Access::kReadWrite);
  for (std::size_t i = 0; i < losses_.size(); ++i) graph().place(losses_[i], step_.losses, i);
  if (!sums_) return;
  if (is_apart()) add_up_apart();
  if (optimizer_.checks_gradients()) check_gradients();
  update_all();
  if (sharers() != nullptr && !shares(ZeroStage::kParameters)) {
    add_all_gather(graph(), step_.parameters, layout_.n_parameters, own_range(), sharers());
  }
}

// The parameters that are updated here.
Shard Descent::own_range() const {
  const std::size_t n = layout_.n_parameters;
  return {step_.shard.first, std::min(step_.shard.end(), n) - std::min(step_.shard.first, n)};
}

void Descent::update_all() {
  const Shard own = own_range();
  if (own.n == 0) return;
  graph().set_stage(static_cast<std::uint32_t>(range_of(own.first)));
  const auto update_range = [this](std::size_t first, const Shape& shape) {
    update(graph().view(step_.parameters, first, shape), sums(first, shape), first);
  };
  if (!entry(optimizer_.kind).is_layerwise) {
    return update_range(own.first, {static_cast<std::uint32_t>(own.n)});
  }
  for (const auto& block : layout_.blocks) {
    if (block.offset >= own.first && block.offset < own.end()) {
      update_range(block.offset, block.shape);
    }
  }
}

// By the length of the whole gradient: each block's is taken where its first element is. Every
// stage has the same state of the loss scale, and comes to the same conclusions.
void Descent::check_gradients() {
  Graph& g = graph();
  const std::size_t n_blocks = n_shard_blocks(layout_.n_parameters);
  squares_ = g.add_slot("squared lengths", n_blocks, Slot::Access::kInternal);
  const std::vector<Shard> ranges = checked_ranges();
  for (std::uint32_t i = 0; i < ranges.size(); ++i) {
    g.set_stage(i);
    add_squares(ranges[i]);
  }
  if (sharers() != nullptr) {
    const Shard own = own_range();
    add_all_gather(g, *squares_, n_blocks, {own.first / kShardBlock, n_shard_blocks(own.n)},
                   sharers());
  }
  unscale_and_clip();
  guard_updates();
}

// Those whose squares are taken here, or at each stage.
std::vector<Shard> Descent::checked_ranges() const {
  return ranges_.size() > 1 ? ranges_ : std::vector{own_range()};
}

ValueId Descent::squares_of_all() {
  const std::size_t n = graph().slots()[squares_->index].n_elements;
  return graph().view(*squares_, 0, {static_cast<std::uint32_t>(n)});
}

void Descent::unscale_and_clip() {
  Graph& g = graph();
  const std::vector<Shard> ranges = checked_ranges();
  for (std::uint32_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].n == 0) continue;
    g.set_stage(i);
    g.apply(kClipLength,
            {sums(ranges[i].first, {static_cast<std::uint32_t>(ranges[i].n)}), squares_of_all(),
             loss_scale_state(step_)},
            {.number = static_cast<float>(optimizer_.clip_norm)});
  }
}

// An update is left out where any number of the gradient is not finite.
void Descent::guard_updates() {
  Graph& g = graph();
  const MixedPrecision& mixed = optimizer_.mixed;
  const float interval = mixed.is_dynamic() ? LossScale::kGrowthInterval : 0;
  for (std::uint32_t i = 0; i < ranges_.size(); ++i) {
    g.set_stage(i);
    const ValueId told = g.view(step_.settings, 0, {StepSettings::kNOfUpdate});
    guarded_.push_back(
        g.apply(kGuardedSettings, {told, loss_scale_state(step_), squares_of_all()}));
    g.apply(kAdvanceLossScale, {loss_scale_state(step_), squares_of_all()}, {.number = interval});
  }
}

// Those of the blocks that begin in this range: the last one may end in the next range.
void Descent::add_squares(const Shard& range) {
  Graph& g = graph();
  const std::size_t first = n_shard_blocks(range.first);
  const std::size_t end = n_shard_blocks(range.end());
  if (first == end) return;
  const std::size_t begin = first * kShardBlock;
  const std::size_t n = std::min(end * kShardBlock, layout_.n_parameters) - begin;
  const ValueId gradient = sums(begin, {static_cast<std::uint32_t>(n)});
  g.place(g.apply(kSquaredLengths, {gradient}), *squares_, first);
}

ValueId Descent::settings(std::uint32_t stage) {
  if (!guarded_.empty()) return guarded_[stage];
  return graph().view(step_.settings, 0, {StepSettings::kNOfUpdate});
}

// Updates a range of parameters that begins at `offset` of their buffer.
void Descent::update(ValueId parameters, ValueId gradient, std::size_t offset) {
  Graph& g = graph();
  const Shape shape = g.shape(parameters);
  const auto stage = static_cast<std::uint32_t>(range_of(offset));
  std::vector<ValueId> inputs{parameters, gradient, settings(stage)};
  for (const SlotId moment : step_.moments) {
    inputs.push_back(g.view(moment, offset - step_.shard.first, shape));
  }
  g.apply(kOptimizerStep, inputs, {.optimizer = optimizer_});
  if (optimizer_.weight_clip > 0) {
    g.apply(kWeightClip, {parameters}, {.number = static_cast<float>(optimizer_.weight_clip)});
  }
}

}  // namespace lipizz::nn
