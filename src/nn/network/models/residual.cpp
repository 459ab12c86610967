#include "nn/network/models/residual.hpp"

#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/conditional.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/layers/self_attention.hpp"
#include "nn/network/models/classes.hpp"

namespace lipizz::nn {
namespace {

constexpr Window kThree{.kernel = 3, .stride = 1, .padding = 1};

}  // namespace

std::uint32_t ResidualBuilder::add(Layer layer) {
  return append(network_, std::move(layer));
}

std::uint32_t ResidualBuilder::linear(std::uint32_t outputs, bool has_bias, From from) {
  return add({.outputs = outputs,
              .has_bias = has_bias,
              .has_spectral_norm = has_spectral_norm_,
              .from = std::move(from)});
}

std::uint32_t ResidualBuilder::reshape(Shape shape) {
  return add({.kind = &kReshapeLayer, .shape = std::move(shape)});
}

std::uint32_t ResidualBuilder::convolution3(std::uint32_t outputs) {
  return add({.outputs = outputs,
              .kind = &kConvolutionLayer,
              .window = kThree,
              .has_spectral_norm = has_spectral_norm_,
              .gain = gain_});
}

std::uint32_t ResidualBuilder::convolution1(std::uint32_t outputs, From from) {
  return add({.outputs = outputs,
              .kind = &kConvolutionLayer,
              .has_spectral_norm = has_spectral_norm_,
              .from = std::move(from)});
}

std::uint32_t ResidualBuilder::relu() {
  return add({.activation = Activation::kRelu, .kind = &kActivationLayer});
}

std::uint32_t ResidualBuilder::resample(const LayerKind& kind, std::uint32_t dimension, From from) {
  return add({.kind = &kind, .window = {.kernel = dimension}, .from = std::move(from)});
}

std::uint32_t ResidualBuilder::sum(std::uint32_t a, std::uint32_t b) {
  return add({.kind = &kAddLayer, .from = {a, b}});
}

std::uint32_t ResidualBuilder::norm() {
  return add({.activation = Activation::kRelu, .kind = &kBatchNormLayer});
}

std::uint32_t ResidualBuilder::conditional_norm(std::uint32_t channels, std::uint32_t input,
                                                std::optional<std::uint32_t> condition) {
  if (network_.n_classes == 0 && !condition) {
    return add({.activation = Activation::kRelu, .kind = &kBatchNormLayer, .from = {input}});
  }
  const std::uint32_t normalised =
      add({.kind = &kBatchNormLayer, .has_bias = false, .from = {input}});
  const auto factors = [&] {
    if (condition) return linear(channels, false, {*condition});
    return add({.outputs = channels, .kind = &kEmbeddingLayer, .gain = 0});
  };
  const std::uint32_t gain = factors();
  const std::uint32_t shift = factors();
  return add({.activation = Activation::kRelu,
              .kind = &kModulateLayer,
              .from = {normalised, gain, shift}});
}

std::uint32_t ResidualBuilder::self_attention() {
  return add({.kind = &kSelfAttentionLayer, .has_spectral_norm = has_spectral_norm_});
}

void ResidualBuilder::project(std::uint32_t features, std::uint32_t channels) {
  add_projection(network_, features, channels, has_spectral_norm_);
}

void ResidualBuilder::up_block(std::uint32_t before, std::uint32_t channels, std::uint32_t input,
                               std::optional<std::uint32_t> condition) {
  conditional_norm(before, input, condition);
  resample(kUpsampleLayer);
  conditional_norm(channels, convolution3(channels), condition);
  const std::uint32_t residual = convolution3(channels);
  resample(kUpsampleLayer, 2, {input});
  sum(residual, convolution1(channels));
}

void ResidualBuilder::first_down_block(std::uint32_t channels) {
  convolution3(channels);
  relu();
  convolution3(channels);
  const std::uint32_t residual = resample(kAveragePoolLayer);
  resample(kAveragePoolLayer, 2, {0});
  sum(residual, convolution1(channels));
}

void ResidualBuilder::block(std::uint32_t channels, bool is_halved) {
  const std::uint32_t input = last();
  relu();
  convolution3(channels);
  relu();
  std::uint32_t residual = convolution3(channels);
  if (!is_halved) {
    sum(residual, input);
    return;
  }
  residual = resample(kAveragePoolLayer);
  convolution1(channels, {input});
  sum(residual, resample(kAveragePoolLayer));
}

}  // namespace lipizz::nn
