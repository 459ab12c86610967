#include "nn/layers/joining.hpp"

#include "nn/network.hpp"
#include "nn/operations.hpp"

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

}  // namespace

const LayerKind kAddLayer{"add",
                          "activation of the sum of its inputs, which have one shape",
                          add_sum,
                          {"activation", "from"}};
const LayerKind kConcatenateLayer{"concatenate",
                                  "its inputs' channels one after the other, [N, ..., sum of C]",
                                  add_concatenation,
                                  {"from"}};

}  // namespace lipizz::nn
