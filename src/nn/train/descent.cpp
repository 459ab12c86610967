#include "nn/train/descent.hpp"

#include <algorithm>

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
                 Updates updates, const MicroBatches& parts)
    : step_(step),
      optimizer_(optimizer),
      updates_(updates),
      layout_(parameter_layout(network)),
      parameters_(parameter_values(step.graph, network, step.parameters)),
      parts_(parts),
      sharers_(entry(optimizer.kind).is_layerwise ? nullptr : parts.collectives) {}

void Descent::add(const std::vector<ValueId>& losses) {
  LIPIZZ_ASSERT(updates_ != Updates::kOneByOne || (losses_.empty() && optimizer_.clip_norm == 0));
  if (updates_ != Updates::kOneByOne) need_sums();
  add_gradients(graph(), losses, parameters_, [this](std::size_t i, ValueId gradient) {
    const std::size_t offset = layout_.blocks[i].offset;
    if (sums_) {
      add_up(gradient, offset);
    } else {
      update(parameters_[i], gradient, offset);
    }
  });
  losses_.insert(losses_.end(), losses.begin(), losses.end());
  ++n_added_;
}

void Descent::add_together(const std::vector<ValueId>& losses,
                           std::span<const std::vector<ValueId>> tensors) {
  LIPIZZ_ASSERT(updates_ == Updates::kTogetherFromApart && tensors.size() == parts_.n);
  need_sums();
  std::vector<ValueId> all;
  for (const auto& of_part : tensors) all.insert(all.end(), of_part.begin(), of_part.end());
  const std::size_t n = layout_.blocks.size();
  add_gradients(graph(), losses, all, [&](std::size_t i, ValueId gradient) {
    const std::size_t row = i / n * layout_.n_parameters;
    place_or_copy(graph(), gradient, *sums_, row + layout_.blocks[i % n].offset);
  });
  losses_.insert(losses_.end(), losses.begin(), losses.end());
}

void Descent::need_sums() {
  if (sums_) return;
  const std::size_t n = updates_ == Updates::kTogetherFromApart ? parts_.n : 1;
  sums_ = graph().add_slot("gradients", n * layout_.n_parameters, Slot::Access::kInternal);
}

void Descent::add_up(ValueId gradient, std::size_t offset) {
  const bool is_apart = updates_ == Updates::kTogetherFromApart;
  if (is_apart) offset += n_added_ * layout_.n_parameters;
  if (is_apart || n_added_ == 0) return place_or_copy(graph(), gradient, *sums_, offset);
  const ValueId sum = graph().view(*sums_, offset, graph().shape(gradient));
  graph().place(graph().apply(kAdd, {sum, gradient}), *sums_, offset);
}

// In the order of micro-batches, as when they are computed one after the other. Where ranks share
// the update, this rank's shard alone.
void Descent::add_up_apart() {
  const auto n = static_cast<std::uint32_t>(layout_.n_parameters);
  if (parts_.collectives != nullptr) {
    const ValueId rows = graph().view(*sums_, 0, {parts_.n, n});
    const Attributes attributes{.collectives = parts_.collectives};
    if (sharers_ != nullptr) {
      graph().apply(kReduceScatter, {rows}, attributes);
    } else {
      graph().place(graph().apply(kAllReduce, {rows}, attributes), *sums_, 0);
    }
    return;
  }
  const ValueId sum = graph().view(*sums_, 0, {n});
  for (std::uint32_t i = 1; i < parts_.n; ++i) {
    const ValueId gradient = graph().view(*sums_, i * layout_.n_parameters, {n});
    graph().place(graph().apply(kAdd, {sum, gradient}), *sums_, 0);
  }
}

void Descent::finish() {
  step_.losses = graph().add_slot("losses", losses_.size(), Slot::Access::kReadWrite);
  for (std::size_t i = 0; i < losses_.size(); ++i) graph().place(losses_[i], step_.losses, i);
  if (!sums_) return;
  if (updates_ == Updates::kTogetherFromApart) add_up_apart();
  const std::size_t n_all = layout_.n_parameters;
  const Shard own{step_.shard.first, std::min(step_.shard.n, n_all)};
  if (optimizer_.clip_norm > 0) clip(own);
  update_all(own);
  if (sharers_ != nullptr) add_all_gather(graph(), step_.parameters, n_all, own, sharers_);
}

void Descent::update_all(const Shard& own) {
  const auto update_range = [this](std::size_t first, const Shape& shape) {
    update(graph().view(step_.parameters, first, shape), graph().view(*sums_, first, shape), first);
  };
  if (entry(optimizer_.kind).is_layerwise) {
    for (const auto& block : layout_.blocks) update_range(block.offset, block.shape);
  } else if (own.n > 0) {
    update_range(own.first, {static_cast<std::uint32_t>(own.n)});
  }
}

// By the length of the whole gradient: each block's is taken by the rank that has the block.
void Descent::clip(const Shard& own) {
  Graph& g = graph();
  const std::size_t n_blocks = n_shard_blocks(layout_.n_parameters);
  const Shard blocks{own.first / kShardBlock, n_shard_blocks(own.n)};
  const SlotId squares = g.add_slot("squared lengths", n_blocks, Slot::Access::kInternal);
  const auto gradient = [&] {
    return g.view(*sums_, own.first, {static_cast<std::uint32_t>(own.n)});
  };
  if (own.n > 0) g.place(g.apply(kSquaredLengths, {gradient()}), squares, blocks.first);
  if (sharers_ != nullptr) add_all_gather(g, squares, n_blocks, blocks, sharers_);
  if (own.n == 0) return;
  g.apply(kClipLength, {gradient(), g.view(squares, 0, {static_cast<std::uint32_t>(n_blocks)})},
          {.number = static_cast<float>(optimizer_.clip_norm)});
}

// Updates a range of parameters that begins at `offset` of their buffer.
void Descent::update(ValueId parameters, ValueId gradient, std::size_t offset) {
  Graph& g = graph();
  const Shape shape = g.shape(parameters);
  std::vector<ValueId> inputs{parameters, gradient,
                              g.view(step_.settings, 0, {StepSettings::kNOfUpdate})};
  for (const SlotId moment : step_.moments) {
    inputs.push_back(g.view(moment, offset - step_.shard.first, shape));
  }
  g.apply(kOptimizerStep, inputs, {.optimizer = optimizer_});
  if (optimizer_.weight_clip > 0) {
    g.apply(kWeightClip, {parameters}, {.number = static_cast<float>(optimizer_.weight_clip)});
  }
}

}  // namespace lipizz::nn
