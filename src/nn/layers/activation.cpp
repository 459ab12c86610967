#include "nn/network.hpp"
#include "nn/operations.hpp"

namespace lipizz::nn {
namespace {

ValueId add(LayerBuilder& builder) {
  return builder.graph().apply(kActivation, {builder.input()},
                               {.activation = builder.layer().activation});
}

}  // namespace

const LayerKind kActivationLayer{"activation", "activation(x); reads activation", add};

}  // namespace lipizz::nn
