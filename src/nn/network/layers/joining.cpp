#include "nn/network/layers/joining.hpp"

#include "nn/graph/operations.hpp"
#include "nn/graph/operations/broadcasting.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {
namespace {

ValueId add_sum(LayerBuilder& builder) {
  Graph& g = builder.graph();
  ValueId sum = builder.input();
  for (const ValueId next : builder.inputs().subspan(1)) sum = g.apply(kAdd, {sum, next});
  if (builder.layer().activation == Activation::kNone) return sum;
  return g.apply(kActivation, {sum}, {.activation = builder.layer().activation});
}

ValueId add_concatenation(LayerBuilder& builder) {
  ValueId all = builder.input();
  for (const ValueId next : builder.inputs().subspan(1)) {
    all = builder.graph().apply(kConcatenate, {all, next});
  }
  return all;
}

ValueId add_dot(LayerBuilder& builder) {
  if (builder.inputs().size() != 2) builder.fail("takes two inputs");
  return row_products(builder.graph(), builder.inputs()[0], builder.inputs()[1]);
}

ValueId add_channels(LayerBuilder& builder) {
  const Layer& layer = builder.layer();
  return builder.graph().apply(kSliceChannels, {builder.input()},
                               {.shape = {layer.outputs}, .offset = layer.offset});
}

}  // namespace

const LayerKind kAddLayer{"add",
                          "activation of the sum of its inputs, which have one shape",
                          add_sum,
                          {"activation", "from"}};
const LayerKind kConcatenateLayer{"concatenate",
                                  "its inputs' channels one after the other, [N, ..., sum of C]",
                                  add_concatenation,
                                  {"from"}};

const LayerKind kDotLayer{
    "dot",
    "sums of the products of its two inputs' values, [N, ...] twice -> [N, 1]",
    add_dot,
    {"from"}};
const LayerKind kChannelsLayer{
    "channels",
    "`outputs` channels from `offset` on, [N, ..., C] -> [N, ..., outputs]",
    add_channels,
    {"outputs", "offset"}};

}  // namespace lipizz::nn
