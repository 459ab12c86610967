#include "nn/network/layers/linear.hpp"

#include "nn/graph/operations.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {
namespace {

ValueId add(LayerBuilder& builder) {
  const ValueId x = builder.flat_input();
  const std::uint32_t n_in = builder.graph().shape(x)[1];
  const std::uint32_t n_out = builder.layer().outputs;
  const ValueId w = builder.weight({n_in, n_out}, n_in, n_out);
  const Attributes attributes{.activation = builder.layer().activation};
  if (builder.layer().has_bias) {
    return builder.graph().apply(kLinear, {x, w, builder.bias(n_out, n_in)}, attributes);
  }
  const ValueId z = builder.graph().apply(kMatmul, {x, w});
  if (attributes.activation == Activation::kNone) return z;
  return builder.graph().apply(kActivation, {z}, attributes);
}

}  // namespace

const LayerKind kLinearLayer{"linear",
                             "activation(x W + b), [N, ...] -> [N, outputs]; W [in, outputs], b "
                             "[outputs]",
                             add,
                             {"outputs", "activation", "bias", "spectral_norm", "gain"}};

}  // namespace lipizz::nn
