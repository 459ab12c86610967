#include "nn/layers/activation.hpp"

#include "nn/network.hpp"
#include "nn/operations.hpp"

namespace lipizz::nn {
namespace {

ValueId add(LayerBuilder& builder) {
  return builder.graph().apply(kActivation, {builder.input()},
                               {.activation = builder.layer().activation});
}

ValueId add_reshape(LayerBuilder& builder) {
  Shape shape{builder.shape().front()};
  shape.insert(shape.end(), builder.layer().shape.begin(), builder.layer().shape.end());
  return builder.graph().reshape(builder.input(), shape);
}

}  // namespace

const LayerKind kActivationLayer{"activation", "activation(x); reads activation", add};

const LayerKind kReshapeLayer{"reshape", "[N, ...] -> [N, shape]; reads shape", add_reshape};

}  // namespace lipizz::nn
