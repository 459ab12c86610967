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

}  // namespace

Descent::Descent(StepGraph& step, const NetworkSpec& network, const OptimizerSpec& optimizer,
                 Updates updates, const MicroBatches& parts, const NetworkStages* stages)
    : step_(step),
      optimizer_(optimizer),
      updates_(updates),
      layout_(parameter_layout(network)),
      parameters_(parameter_values(step.graph, network, step.parameters)),
      parts_(parts),
      ranges_(ranges_of(layout_, stages, sharers())) {
  if (!optimizer.checks_gradients()) return;
  step.loss_scale =
      graph().add_slot("loss scale", ranges_.size() * LossScale::kSize, Slot::Access::kReadWrite);
}

std::vector<SharedRange> Descent::ranges_of(const ParameterLayout& layout,
                                            const NetworkStages* stages,
                                            const Collectives* sharers) {
  const auto range = [sharers](const Shard& all) {
    return SharedRange{all,
                       sharers == nullptr ? all : shard_of(all, sharers->rank(), sharers->size())};
  };
  if (stages == nullptr) return {range({0, layout.n_parameters})};
  std::vector<SharedRange> ranges;
  for (const NetworkStages::Tensors& tensors : stages->tensors) {
    ranges.push_back(range(tensors.parameters));
  }
  return ranges;
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
    if (updates_ == Updates::kOneByOne) {
      update(parameters_[i], gradient, layout_.blocks[i].offset);
    } else {
      add_up(i, gradient);
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

void Descent::need_sums() {
  if (sums_ || !rows_.empty()) return;
  const auto add_slot = [this](std::size_t n) {
    return graph().add_slot("gradients", n, Slot::Access::kInternal);
  };
  if (is_apart() && !shares(ZeroStage::kGradients)) {
    for (const auto& [range, own] : ranges_) rows_.push_back(add_slot(parts_.n() * range.n));
    return;
  }
  sums_ = add_slot(layout_.n_parameters);
  if (!shares(ZeroStage::kGradients)) return;
  for (const auto& [range, own] : ranges_) {
    buckets_.emplace_back(graph(), layout_, range, *sums_, *sharers());
  }
}

// Which of the ranges that is in.
std::size_t Descent::range_of(std::size_t offset) const {
  const auto holds = [offset](const SharedRange& range) {
    return offset >= range.all.first && offset < range.all.end();
  };
  return static_cast<std::size_t>(std::ranges::find_if(ranges_, holds) - ranges_.begin());
}

std::size_t Descent::place_in_rows(std::uint32_t row, std::size_t offset) const {
  const Shard& range = ranges_[range_of(offset)].all;
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
  const std::size_t offset = layout_.blocks[tensor].offset;
  if (!buckets_.empty()) return buckets_[range_of(offset)].add(row, tensor, gradient);
  place_or_copy(graph(), gradient, rows_[range_of(offset)], place_in_rows(row, offset));
}

// The sums of these parameters' gradients, which lie in one range where there are rows.
ValueId Descent::sums(std::size_t first, Shape shape) {
  if (sums_) return graph().view(*sums_, first, std::move(shape));
  return graph().view(rows_[range_of(first)], place_in_rows(0, first), std::move(shape));
}

ValueId Descent::sums(const Shard& part) {
  return sums(part.first, {static_cast<std::uint32_t>(part.n)});
}

// In the order of micro-batches, as when they are computed one after the other. Where ranks share
// the update, this rank's shard alone.
void Descent::add_up_apart() {
  if (parts_.collectives == nullptr) return add_up_rows();
  for (std::uint32_t stage = 0; stage < ranges_.size(); ++stage) {
    if (ranges_[stage].all.n == 0) continue;
    graph().set_stage(stage);
    add_up_apart_at(stage);
  }
}

void Descent::add_up_rows() {
  Graph& g = graph();
  const auto n = static_cast<std::uint32_t>(layout_.n_parameters);
  const SlotId rows = rows_.front();
  const ValueId sum = g.view(rows, 0, {n});
  for (std::uint32_t i = 1; i < parts_.n(); ++i) {
    g.place(g.apply(kAdd, {sum, g.view(rows, i * layout_.n_parameters, {n})}), rows, 0);
  }
}

void Descent::add_up_apart_at(std::uint32_t stage) {
  if (!buckets_.empty()) return buckets_[stage].finish();
  Graph& g = graph();
  const Shard& range = ranges_[stage].all;
  const SlotId rows = rows_[stage];
  const ValueId all = g.view(rows, 0, {parts_.n(), static_cast<std::uint32_t>(range.n)});
  const Attributes attributes{.offset = range.first, .collectives = parts_.collectives};
  if (sharers() != nullptr) {
    g.apply(kReduceScatter, {all}, attributes);
  } else {
    g.place(g.apply(kAllReduce, {all}, attributes), rows, 0);
  }
}

void Descent::finish() {
  step_.losses = graph().add_slot("losses", losses_.size(), Slot::Access::kReadWrite);
  for (std::size_t i = 0; i < losses_.size(); ++i) graph().place(losses_[i], step_.losses, i);
  if (updates_ == Updates::kOneByOne) return;
  if (is_apart()) add_up_apart();
  if (optimizer_.checks_gradients()) check_gradients();
  update_all();
  if (sharers() != nullptr && !shares(ZeroStage::kParameters)) gather_updated();
}

// At the own stage, whose moments are here.
void Descent::update_all() {
  if (step_.shard.n == 0) return;
  const std::size_t stage = range_of(step_.shard.first);
  const Shard& own = ranges_[stage].own;
  graph().set_stage(static_cast<std::uint32_t>(stage));
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

void Descent::gather_updated() {
  for (std::uint32_t stage = 0; stage < ranges_.size(); ++stage) {
    if (ranges_[stage].all.n == 0) continue;
    graph().set_stage(stage);
    add_all_gather(graph(), step_.parameters, ranges_[stage].all, ranges_[stage].own, sharers());
  }
}

// By the length of the whole gradient: each block's is taken where its first element is. Every
// stage has the same state of the loss scale, and comes to the same conclusions.
void Descent::check_gradients() {
  squares_ = graph().add_slot("squared lengths", n_shard_blocks(layout_.n_parameters),
                              Slot::Access::kInternal);
  for (std::uint32_t stage = 0; stage < ranges_.size(); ++stage) add_squares_within(stage);
  for (const Shard& block : blocks_across_stages()) add_squares_across(block);
  if (sharers() != nullptr) gather_squares();
  unscale_and_clip();
  guard_updates();
}

void Descent::add_squares(ValueId gradient, std::size_t block) {
  graph().place(graph().apply(kSquaredLengths, {gradient}), *squares_, block);
}

// Those of the blocks that lie in what is updated here.
void Descent::add_squares_within(std::uint32_t stage) {
  const Shard& own = ranges_[stage].own;
  const std::size_t n = layout_.n_parameters;
  const std::size_t first = n_shard_blocks(own.first);
  const std::size_t end = own.end() == n ? n_shard_blocks(n) : own.end() / kShardBlock;
  if (end <= first) return;
  graph().set_stage(stage);
  const std::size_t begin = first * kShardBlock;
  add_squares(sums({begin, std::min(end * kShardBlock, n) - begin}), first);
}

std::vector<Shard> Descent::blocks_across_stages() const {
  std::vector<Shard> blocks;
  for (const auto& [range, own] : ranges_) {
    const std::size_t begin = range.end() / kShardBlock * kShardBlock;
    const bool is_within = begin == range.end() || range.end() == layout_.n_parameters;
    const bool is_known = !blocks.empty() && blocks.back().first == begin;
    if (range.n == 0 || is_within || is_known) continue;
    blocks.push_back({begin, std::min(kShardBlock, layout_.n_parameters - begin)});
  }
  return blocks;
}

void Descent::add_squares_across(const Shard& block) {
  const std::size_t stage = range_of(block.first);
  const std::optional<SlotId> joined =
      parts_.collectives != nullptr ? std::optional(join_block(block)) : std::nullopt;
  if (intersection(ranges_[stage].own, block).n == 0) return;
  graph().set_stage(static_cast<std::uint32_t>(stage));
  const Shape shape{static_cast<std::uint32_t>(block.n)};
  add_squares(joined ? graph().view(*joined, 0, shape) : sums(block), block.first / kShardBlock);
}

// Its sums, which ranks of several stages have, where its first element is; who has that has all
// that its stage has of the block.
SlotId Descent::join_block(const Shard& block) {
  const SlotId joined = graph().add_slot("block of sums", block.n, Slot::Access::kInternal);
  for (std::uint32_t stage = 0; stage < ranges_.size(); ++stage) {
    const Shard part = intersection(ranges_[stage].all, block);
    if (part.n == 0) continue;
    graph().set_stage(stage);
    const Shard own = intersection(ranges_[stage].own, block);
    const std::size_t place = own.n == 0 ? 0 : own.first - block.first;
    if (own.n > 0) place_or_copy(graph(), sums(own), joined, place);
    if (sharers() == nullptr || part.first == block.first) continue;
    add_all_gather(graph(), joined, {part.first - block.first, part.n}, {place, own.n}, sharers());
  }
  return joined;
}

// All of each stage's blocks, from those that have them.
void Descent::gather_squares() {
  const auto blocks_of = [](const Shard& range) {
    const std::size_t first = n_shard_blocks(range.first);
    return Shard{first, n_shard_blocks(range.end()) - first};
  };
  for (std::uint32_t stage = 0; stage < ranges_.size(); ++stage) {
    const Shard all = blocks_of(ranges_[stage].all);
    if (all.n == 0) continue;
    graph().set_stage(stage);
    add_all_gather(graph(), *squares_, all, blocks_of(ranges_[stage].own), sharers());
  }
}

ValueId Descent::squares_of_all() {
  const std::size_t n = graph().slots()[squares_->index].n_elements;
  return graph().view(*squares_, 0, {static_cast<std::uint32_t>(n)});
}

void Descent::unscale_and_clip() {
  Graph& g = graph();
  for (std::uint32_t stage = 0; stage < ranges_.size(); ++stage) {
    if (ranges_[stage].own.n == 0) continue;
    g.set_stage(stage);
    const ValueId own = sums(ranges_[stage].own);
    g.apply(kClipLength, {own, squares_of_all(), loss_scale_state(step_)},
            {.number = static_cast<float>(optimizer_.clip_norm)});
    clip(own, optimizer_.clip_value);
  }
}

// To +-limit, if there is any.
void Descent::clip(ValueId values, double limit) {
  const auto number = static_cast<float>(limit);
  if (number > 0) graph().apply(kClip, {values}, {.number = number});
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
  clip(parameters, optimizer_.weight_clip);
}

}  // namespace lipizz::nn
