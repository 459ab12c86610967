#include "nn/network/layers/dense_block.hpp"

#include "nn/graph/operations.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {
namespace {

ValueId add(LayerBuilder& builder) {
  const Layer& layer = builder.layer();
  const std::uint32_t k = layer.window.kernel;
  const std::uint32_t n_in = builder.image_shape()[3];
  const ValueId weight =
      builder.weight({k, k, n_in, layer.outputs}, k * k * n_in, k * k * layer.outputs);
  const Window same_size{.kernel = k, .stride = 1, .padding = k / 2};
  const ValueId grown =
      builder.graph().apply(kConvolution, {builder.input(), weight},
                            {.activation = layer.activation, .window = same_size});
  return builder.graph().apply(kConcatenate, {builder.input(), grown});
}

}  // namespace

const LayerKind kDenseBlockLayer{
    "dense-block",
    "[N, H, W, C] -> [N, H, W, C + outputs], the input's channels and behind them those of a "
    "convolution of it; an odd kernel; weight [kernel, kernel, C, outputs] (Huang et al. 2017)",
    add,
    {"outputs", "activation", "kernel", "spectral_norm", "gain"}};

}  // namespace lipizz::nn
