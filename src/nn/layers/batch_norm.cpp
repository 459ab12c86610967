#include "nn/layers/batch_norm.hpp"

#include "nn/network.hpp"
#include "nn/operations.hpp"

namespace lipizz::nn {
namespace {

constexpr float kEpsilon = 1e-5f;
constexpr float kMomentum = 0.1f;

ValueId add(LayerBuilder& builder) {
  Graph& g = builder.graph();
  const ValueId x = builder.input();
  const std::uint32_t n = builder.shape().back();
  const ValueId scale = builder.scale(n);
  const ValueId shift = builder.shift(n);
  const ValueId running = builder.running(n);
  Attributes attributes{
      .activation = builder.layer().activation, .groups = builder.groups(), .number = kEpsilon};
  if (builder.mode() == Mode::kInference) {
    attributes.groups = 1;
    return g.apply(kNormalise, {x, g.reshape(running, {1, 2, n}), scale, shift}, attributes);
  }
  const ValueId statistics = g.apply(kStatistics, {x}, {.groups = builder.groups()});
  if (builder.mode() == Mode::kTraining) {
    const std::size_t n_rows = n_elements(builder.shape()) / n / builder.groups();
    g.apply(kUpdateRunning, {running, statistics},
            {.shape = {static_cast<std::uint32_t>(n_rows)}, .number = kMomentum});
  }
  return g.apply(kNormalise, {x, statistics, scale, shift}, attributes);
}

}  // namespace

const LayerKind kBatchNormLayer{
    "batch-norm",
    "activation((x - mean) / sqrt(variance + 1e-5) * weight + bias) by channel, [N, ..., C]; "
    "statistics of the batch in training, running ones (momentum 0.1) otherwise (Ioffe and "
    "Szegedy 2015)",
    add,
    {"activation"}};

}  // namespace lipizz::nn
