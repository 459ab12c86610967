#include "nn/network/layers/normalisation.hpp"

#include <optional>
#include <vector>

#include "nn/graph/operations.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {
namespace {

constexpr float kMomentum = 0.1f;

struct Affine {
  ValueId scale;
  ValueId shift;
};

// Learnt, or without effect where the layer has no bias.
Affine affine(LayerBuilder& builder, std::uint32_t n) {
  if (builder.layer().has_bias) {
    const ValueId scale = builder.scale(n);
    return {scale, builder.shift(n)};
  }
  Graph& g = builder.graph();
  const ValueId one = g.apply(kFill, {}, {.shape = {n}, .number = 1});
  return {one, g.apply(kFill, {}, {.shape = {n}})};
}

ValueId add_batch_norm(LayerBuilder& builder) {
  Graph& g = builder.graph();
  const ValueId x = builder.input();
  const std::uint32_t n = builder.shape().back();
  const auto [scale, shift] = affine(builder, n);
  const ValueId running = builder.running(n);
  Attributes attributes{.activation = builder.layer().activation,
                        .groups = builder.n_batches(),
                        .number = kNormEpsilon};
  if (builder.mode() == Mode::kInference) {
    attributes.groups = 1;
    return g.apply(kNormalise, {x, g.reshape(running, {1, 2, n}), scale, shift}, attributes);
  }
  const ValueId statistics = g.apply(kStatistics, {x}, {.groups = builder.n_batches()});
  if (builder.mode() == Mode::kTraining) {
    const std::size_t n_rows = n_elements(builder.shape()) / n / builder.n_batches();
    builder.update_running(running, statistics,
                           {.shape = {static_cast<std::uint32_t>(n_rows)}, .number = kMomentum});
  }
  return g.apply(kNormalise, {x, statistics, scale, shift}, attributes);
}

// Mean and variance of a batch [groups, 2, C], from those of the parts that are computed here, all
// of that shape.
ValueId pooled_statistics(Graph& g, const std::vector<ValueId>& own, const BatchParts& batch) {
  const Shape one = g.shape(own.front());
  const auto n = static_cast<std::uint32_t>(n_elements(one));
  const SlotId slot = g.add_slot("statistics", own.size() * n, Slot::Access::kInternal);
  for (std::size_t i = 0; i < own.size(); ++i) g.place(own[i], slot, i * n);
  ValueId all = g.view(slot, 0, {static_cast<std::uint32_t>(own.size()), n});
  if (batch.collectives != nullptr) all = add_gather_parts(g, all, batch.n, batch.collectives);
  return g.apply(kPoolStatistics, {g.reshape(all, {batch.n, one[0], one[1], one[2]})},
                 {.shape = {batch.n_rows}});
}

// All parts are normalised one after the other, so that they can be differentiated as one.
std::vector<ValueId> add_batch_norm_together(std::span<LayerBuilder> parts,
                                             const BatchParts& batch) {
  LayerBuilder& first = parts.front();
  Graph& g = first.graph();
  const std::uint32_t n = first.shape().back();
  const std::uint32_t groups = first.n_batches();
  std::vector<Affine> affines;
  std::vector<ValueId> statistics;
  std::optional<ValueId> running;
  for (LayerBuilder& part : parts) {
    affines.push_back(affine(part, n));
    running = part.running(n);
    statistics.push_back(g.apply(kStatistics, {part.input()}, {.groups = groups}));
  }
  const ValueId pooled = pooled_statistics(g, statistics, batch);
  // A row of the batch has as many values of a channel as an image has places.
  const Shape& shape = first.shape();
  const auto n_places = static_cast<std::uint32_t>(n_elements(shape) / shape.front() / n);
  const std::uint32_t n_rows = batch.n_rows * n_places;
  if (first.mode() == Mode::kTraining) {
    first.update_running(*running, pooled, {.shape = {n_rows}, .number = kMomentum});
  }
  Attributes attributes{.activation = first.layer().activation,
                        .shape = {n_rows},
                        .groups = groups,
                        .number = kNormEpsilon,
                        .collectives = batch.collectives};
  std::vector<ValueId> results;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    results.push_back(g.apply(
        kNormalise, {parts[i].input(), pooled, affines[i].scale, affines[i].shift}, attributes));
  }
  g.differentiate_together(results.back(), static_cast<std::uint32_t>(results.size()));
  return results;
}

// Each sample is a batch of its own.
ValueId add_instance_norm(LayerBuilder& builder) {
  Graph& g = builder.graph();
  const ValueId x = builder.input();
  const std::uint32_t n_samples = builder.image_shape().front();
  const auto [scale, shift] = affine(builder, builder.shape().back());
  const ValueId statistics = g.apply(kStatistics, {x}, {.groups = n_samples});
  return g.apply(
      kNormalise, {x, statistics, scale, shift},
      {.activation = builder.layer().activation, .groups = n_samples, .number = kNormEpsilon});
}

// Each sample is a batch of one channel; what is learnt is by channel again.
ValueId add_layer_norm(LayerBuilder& builder) {
  Graph& g = builder.graph();
  const Shape shape = builder.shape();
  const std::uint32_t n = shape.back();
  const ValueId scale = g.reshape(builder.scale(n), {1, n});
  const ValueId shift = g.reshape(builder.shift(n), {1, n});
  const ValueId x = g.reshape(builder.input(), {static_cast<std::uint32_t>(n_elements(shape)), 1});
  const ValueId one = g.apply(kFill, {}, {.shape = {1}, .number = 1});
  const ValueId zero = g.apply(kFill, {}, {.shape = {1}});
  const ValueId statistics = g.apply(kStatistics, {x}, {.groups = shape.front()});
  const ValueId normalised = g.apply(kNormalise, {x, statistics, one, zero},
                                     {.groups = shape.front(), .number = kNormEpsilon});
  return g.apply(kModulate, {g.reshape(normalised, shape), scale, shift},
                 {.activation = builder.layer().activation});
}

}  // namespace

const LayerKind kBatchNormLayer{
    "batch-norm",
    "activation((x - mean) / sqrt(variance + 1e-5) * weight + bias) by channel, [N, ..., C]; "
    "statistics of the batch in training, running ones (momentum 0.1) otherwise; bias: weight and "
    "bias (Ioffe and Szegedy 2015)",
    add_batch_norm,
    {"activation", "bias"},
    add_batch_norm_together};
const LayerKind kInstanceNormLayer{
    "instance-norm",
    "as batch-norm with each image's own statistics, [N, H, W, C] (Ulyanov et al. 2016)",
    add_instance_norm,
    {"activation", "bias"}};
const LayerKind kLayerNormLayer{
    "layer-norm",
    "activation((x - mean) / sqrt(variance + 1e-5) * weight + bias), [N, ..., C], mean and "
    "variance of each sample, weight and bias by channel (Ba et al. 2016)",
    add_layer_norm,
    {"activation"}};

}  // namespace lipizz::nn
