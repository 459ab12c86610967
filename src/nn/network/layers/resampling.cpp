#include "nn/network/layers/resampling.hpp"

#include "nn/graph/operations.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {
namespace {

ValueId add_upsample(LayerBuilder& builder) {
  return builder.graph().apply(kUpsample, {builder.input()},
                               {.window = builder.layer().window, .number = 1});
}

ValueId add_average(LayerBuilder& builder) {
  const auto k = static_cast<float>(builder.layer().window.kernel);
  return builder.graph().apply(kSumBlocks, {builder.input()},
                               {.window = builder.layer().window, .number = 1 / (k * k)});
}

ValueId add_sum(LayerBuilder& builder) {
  return builder.graph().apply(kSumBlocks, {builder.input()},
                               {.window = builder.layer().window, .number = 1});
}

ValueId add_max(LayerBuilder& builder) {
  return builder.graph().apply(kMaxBlocks, {builder.input()}, {.window = builder.layer().window});
}

}  // namespace

const LayerKind kUpsampleLayer{"upsample",
                               "every pixel `kernel` times in both directions (nearest), [N, H, W, "
                               "C] -> [N, kernel H, kernel W, C]",
                               add_upsample,
                               {"kernel"}};
const LayerKind kAveragePoolLayer{
    "average-pool",
    "means of blocks of kernel x kernel, [N, H, W, C] -> [N, H / kernel, W / kernel, C]",
    add_average,
    {"kernel"}};
const LayerKind kSumPoolLayer{
    "sum-pool",
    "sums of blocks of kernel x kernel, [N, H, W, C] -> [N, H / kernel, W / kernel, C]",
    add_sum,
    {"kernel"}};
const LayerKind kMaxPoolLayer{
    "max-pool",
    "maxima of blocks of kernel x kernel, [N, H, W, C] -> [N, H / kernel, W / kernel, C]",
    add_max,
    {"kernel"}};

}  // namespace lipizz::nn
