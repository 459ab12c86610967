#include "nn/network/layers/conditional.hpp"

#include <string>

#include "nn/graph/operations.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {
namespace {

ValueId add_embedding(LayerBuilder& builder) {
  const ValueId table = builder.embedding(builder.n_classes(), builder.layer().outputs);
  return builder.graph().apply(kEmbedding, {builder.labels(), table});
}

ValueId add_modulation(LayerBuilder& builder) {
  if (builder.inputs().size() != 3) {
    builder.fail("takes three inputs, not " + std::to_string(builder.inputs().size()));
  }
  Graph& g = builder.graph();
  const ValueId gain = builder.inputs()[1];
  const ValueId one = g.apply(kFill, {}, {.shape = g.shape(gain), .number = 1});
  return g.apply(kModulate, {builder.input(), g.apply(kAdd, {gain, one}), builder.inputs()[2]},
                 {.activation = builder.layer().activation});
}

}  // namespace

const LayerKind kEmbeddingLayer{
    "embedding",
    "the row of each sample's class, [N, outputs]; weight [classes, outputs]; takes no values from "
    "its input",
    add_embedding,
    {"outputs", "spectral_norm", "gain"}};
const LayerKind kModulateLayer{
    "modulate",
    "activation(x (1 + gain) + shift), x [N, ..., C], gain and shift [N, C] of each sample; behind "
    "a batch-norm without bias it makes it class-conditional (de Vries et al. 2017)",
    add_modulation,
    {"activation", "from"}};

}  // namespace lipizz::nn
