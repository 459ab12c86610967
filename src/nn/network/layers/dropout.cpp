#include "nn/network/layers/dropout.hpp"

#include "nn/graph/operations.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {
namespace {

ValueId add(LayerBuilder& builder) {
  if (builder.mode() == Mode::kInference) return builder.input();
  return builder.graph().apply(kDropout, {builder.input(), builder.uniforms(builder.shape())},
                               {.number = builder.layer().rate});
}

}  // namespace

const LayerKind kDropoutLayer{
    "dropout",
    "each value zero with probability `rate`, else / (1 - rate); nothing in inference "
    "(Srivastava et al. 2014)",
    add,
    {"rate"}};

}  // namespace lipizz::nn
