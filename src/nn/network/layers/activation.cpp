#include "nn/network/layers/activation.hpp"

#include "core/error.hpp"
#include "nn/graph/operations.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {
namespace {

ValueId add(LayerBuilder& builder) {
  return builder.graph().apply(kActivation, {builder.input()},
                               {.activation = builder.layer().activation});
}

ValueId add_reshape(LayerBuilder& builder) {
  Shape shape{builder.shape().front()};
  shape.insert(shape.end(), builder.layer().shape.begin(), builder.layer().shape.end());
  if (n_elements(shape) != n_elements(builder.shape())) {
    throw InternalError("reshape cannot make " + to_string(shape) + " of " +
                        to_string(builder.shape()));
  }
  return builder.graph().reshape(builder.input(), shape);
}

}  // namespace

const LayerKind kActivationLayer{"activation", "activation(x)", add, {"activation"}};

const LayerKind kReshapeLayer{"reshape", "[N, ...] -> [N, shape]", add_reshape, {"shape"}};

}  // namespace lipizz::nn
