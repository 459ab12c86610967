#include "nn/network/layers/convolution.hpp"

#include <string>

#include "core/error.hpp"
#include "nn/graph/operations.hpp"
#include "nn/network/network.hpp"

namespace lipizz::nn {
namespace {

// InternalError where they do not divide the channels.
std::uint32_t groups_of(const LayerBuilder& builder) {
  const std::uint32_t groups = builder.layer().window.groups;
  if (builder.image_shape()[3] % groups == 0 && builder.layer().outputs % groups == 0) {
    return groups;
  }
  builder.fail("has " + std::to_string(groups) + " groups, which do not divide its channels");
}

ValueId add_convolution(LayerBuilder& builder) {
  const Layer& layer = builder.layer();
  const std::uint32_t k = layer.window.kernel;
  const std::uint32_t groups = groups_of(builder);
  const std::uint32_t n_in = builder.image_shape()[3] / groups;
  const std::uint32_t fan_in = k * k * n_in;
  std::vector<ValueId> inputs{builder.input(), builder.weight({k, k, n_in, layer.outputs}, fan_in,
                                                              k * k * layer.outputs / groups)};
  if (layer.has_bias) inputs.push_back(builder.bias(layer.outputs, fan_in));
  return builder.graph().apply(kConvolution, std::move(inputs),
                               {.activation = layer.activation, .window = layer.window});
}

ValueId add_transposed(LayerBuilder& builder) {
  const Layer& layer = builder.layer();
  const auto [k, stride, padding, n_groups] = layer.window;
  const std::uint32_t groups = groups_of(builder);
  const Shape x = builder.image_shape();
  const auto dimension = [&, k = k, stride = stride, padding = padding](std::uint32_t positions) {
    const std::uint32_t covered = (positions - 1) * stride + k;
    if (covered > 2 * padding) return covered - 2 * padding;
    throw InternalError("transposed-convolution has more padding than " + to_string(x) + " gives");
  };
  // PyTorch takes the fan-in of its weights [in, out, k, k] from the second dimension.
  const std::uint32_t n_out = layer.outputs / groups;
  const std::uint32_t fan_in = k * k * n_out;
  std::vector<ValueId> inputs{builder.input(),
                              builder.weight({k, k, n_out, x[3]}, fan_in, k * k * x[3] / groups)};
  if (layer.has_bias) inputs.push_back(builder.bias(layer.outputs, fan_in));
  return builder.graph().apply(kTransposedConvolution, std::move(inputs),
                               {.activation = layer.activation,
                                .window = layer.window,
                                .shape = {dimension(x[1]), dimension(x[2])}});
}

}  // namespace

const LayerKind kConvolutionLayer{
    "convolution",
    "[N, H, W, C] -> [N, H', W', outputs], H' = (H + 2 padding - kernel) / stride + 1; weight "
    "[kernel, kernel, C / groups, outputs]",
    add_convolution,
    {"outputs", "activation", "kernel", "stride", "padding", "groups", "bias", "spectral_norm",
     "gain"}};
const LayerKind kTransposedConvolutionLayer{
    "transposed-convolution",
    "[N, H, W, C] -> [N, H', W', outputs], H' = (H - 1) stride + kernel - 2 padding; weight "
    "[kernel, kernel, outputs / groups, C]",
    add_transposed,
    {"outputs", "activation", "kernel", "stride", "padding", "groups", "bias", "spectral_norm",
     "gain"}};

}  // namespace lipizz::nn
