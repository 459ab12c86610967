#include <cmath>
#include <utility>
#include <vector>

#include "nn/layers/activation.hpp"
#include "nn/layers/batch_norm.hpp"
#include "nn/layers/convolution.hpp"
#include "nn/layers/joining.hpp"
#include "nn/layers/resampling.hpp"
#include "nn/models.hpp"

// Miyato et al. 2018, table 4, as in their code: residual blocks, spectral norm on all of the
// discriminator.
namespace lipizz::nn {
namespace {

constexpr std::uint32_t kLatent = 128;
constexpr Window kThree{.kernel = 3, .stride = 1, .padding = 1};
constexpr Window kPoint{};
const float kResidualGain = std::sqrt(2.0f);

// A network in the making; each function returns the number of the layer that it added.
class Builder {
 public:
  Builder(Shape inputs, bool has_spectral_norm)
      : network_{std::move(inputs), {}, &kGlorotUniform}, has_spectral_norm_(has_spectral_norm) {}

  std::uint32_t linear(std::uint32_t outputs, bool has_bias) {
    return add({.outputs = outputs, .has_bias = has_bias, .has_spectral_norm = has_spectral_norm_});
  }
  std::uint32_t convolution(std::uint32_t outputs, Window window, float gain,
                            std::vector<std::uint32_t> from = {}) {
    return add({.outputs = outputs,
                .kind = &kConvolutionLayer,
                .window = window,
                .has_spectral_norm = has_spectral_norm_,
                .gain = gain,
                .from = std::move(from)});
  }
  std::uint32_t batch_norm(std::vector<std::uint32_t> from = {}) {
    return add(
        {.activation = Activation::kRelu, .kind = &kBatchNormLayer, .from = std::move(from)});
  }
  std::uint32_t relu(std::vector<std::uint32_t> from = {}) {
    return add(
        {.activation = Activation::kRelu, .kind = &kActivationLayer, .from = std::move(from)});
  }
  std::uint32_t resample(const LayerKind& kind, std::uint32_t extent = 2,
                         std::vector<std::uint32_t> from = {}) {
    return add({.kind = &kind, .window = {.kernel = extent}, .from = std::move(from)});
  }
  std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
    return add({.kind = &kAddLayer, .from = {a, b}});
  }
  std::uint32_t add(Layer layer) {
    network_.layers.push_back(std::move(layer));
    return last();
  }
  [[nodiscard]] std::uint32_t last() const {
    return static_cast<std::uint32_t>(network_.layers.size());
  }
  [[nodiscard]] NetworkSpec take() { return std::move(network_); }

 private:
  NetworkSpec network_;
  bool has_spectral_norm_;
};

// BN-ReLU-up-conv3-BN-ReLU-conv3, beside up-conv1.
void add_up_block(Builder& g, std::uint32_t channels) {
  const std::uint32_t input = g.last();
  g.batch_norm();
  g.resample(kUpsampleLayer);
  g.convolution(channels, kThree, kResidualGain);
  g.batch_norm();
  const std::uint32_t residual = g.convolution(channels, kThree, kResidualGain);
  g.resample(kUpsampleLayer, 2, {input});
  g.sum(residual, g.convolution(channels, kPoint, 1));
}

NetworkSpec generator() {
  constexpr std::uint32_t kChannels = 256;
  Builder g({kLatent}, false);
  g.linear(4 * 4 * kChannels, true);
  g.add({.kind = &kReshapeLayer, .shape = {4, 4, kChannels}});
  for (int block = 0; block < 3; ++block) add_up_block(g, kChannels);
  g.batch_norm();
  g.add({.outputs = 3,
         .activation = Activation::kTanh,
         .kind = &kConvolutionLayer,
         .window = kThree});
  return g.take();
}

// conv3-ReLU-conv3-pool, beside pool-conv1.
void add_first_block(Builder& d, std::uint32_t channels) {
  d.convolution(channels, kThree, kResidualGain);
  d.relu();
  d.convolution(channels, kThree, kResidualGain);
  const std::uint32_t residual = d.resample(kAveragePoolLayer);
  d.resample(kAveragePoolLayer, 2, {0});
  d.sum(residual, d.convolution(channels, kPoint, 1));
}

// ReLU-conv3-ReLU-conv3, beside the input itself; halved, pool after each, conv1 before the latter.
void add_block(Builder& d, std::uint32_t channels, bool is_halved) {
  const std::uint32_t input = d.last();
  d.relu();
  d.convolution(channels, kThree, kResidualGain);
  d.relu();
  std::uint32_t residual = d.convolution(channels, kThree, kResidualGain);
  if (!is_halved) {
    d.sum(residual, input);
    return;
  }
  residual = d.resample(kAveragePoolLayer);
  d.convolution(channels, kPoint, 1, {input});
  d.sum(residual, d.resample(kAveragePoolLayer));
}

NetworkSpec discriminator() {
  constexpr std::uint32_t kChannels = 128;
  Builder d({32, 32, 3}, true);
  add_first_block(d, kChannels);
  add_block(d, kChannels, true);
  add_block(d, kChannels, false);
  add_block(d, kChannels, false);
  d.relu();
  d.resample(kSumPoolLayer, 8);
  d.linear(1, false);
  return d.take();
}

// 4,276,739 and 1,053,824 parameters.
GanSpec sngan32() {
  return {generator(), discriminator()};
}

}  // namespace

const ModelEntry kSngan32{"sngan32",
                          "32x32 colour images: residual networks, spectral norm (Miyato et al. "
                          "2018); meant for the hinge loss, Adam (0, 0.9), five steps of D",
                          sngan32};

}  // namespace lipizz::nn
