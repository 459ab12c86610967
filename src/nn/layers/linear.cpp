#include "nn/network.hpp"
#include "nn/operations.hpp"

namespace lipizz::nn {
namespace {

ValueId add(LayerBuilder& builder) {
  const ValueId x = builder.flat_input();
  const std::uint32_t n_in = builder.graph().shape(x)[1];
  const std::uint32_t n_out = builder.layer().outputs;
  const ValueId w = builder.weight({n_in, n_out}, n_in, n_out);
  const ValueId b = builder.bias(n_out, n_in);
  return builder.graph().apply(kLinear, {x, w, b}, {.activation = builder.layer().activation});
}

}  // namespace

const LayerKind kLinearLayer{"linear",
                             "activation(x W + b), [N, ...] -> [N, outputs]; W [in, outputs], b "
                             "[outputs]; reads outputs, activation",
                             add};

}  // namespace lipizz::nn
