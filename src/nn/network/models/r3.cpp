#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/models.hpp"
#include "nn/network/models/classes.hpp"
#include "nn/network/models/halved_sizes.hpp"

// Huang et al. 2024 ("The GAN is dead; long live the GAN! A modern GAN baseline"), made small: no
// normalisation, residual blocks of 1x1, grouped 3x3 and 1x1 convolutions of which the last begins
// at zero, a learned basis at the smallest size. Departures: nearest neighbours and means in place
// of the filter [1 2 1] between the sizes, a tanh at the end of the generator, and the class beside
// the noise and as a projection.
namespace lipizz::nn {
namespace {

constexpr std::uint32_t kLatent = 64;
constexpr std::uint32_t kExpansion = 2;
constexpr std::uint32_t kGroupChannels = 16;
// He's initial weights are for what an activation halves; without one this keeps the variance.
constexpr float kLinearGain = 0.70710678f;

// A size of images, its channels, and its blocks.
struct Stage {
  Shape size;
  std::uint32_t width;
  std::uint32_t n_blocks;
};

// From the smallest images to the largest: 128 channels and two blocks, then one block each, of
// fewer channels, so that no size costs much more than another.
std::vector<Stage> stages_of(const std::vector<Shape>& sizes) {
  constexpr std::uint32_t kWidest = 128;
  const auto n = static_cast<std::uint32_t>(sizes.size());
  std::vector<Stage> stages;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t narrower = n <= 3 ? kWidest >> i : kWidest - std::min(32 * i, kWidest);
    stages.push_back({sizes[n - 1 - i], std::max(narrower, kGroupChannels), i == 0 ? 2U : 1U});
  }
  return stages;
}

// A network in the making.
class Builder {
 public:
  Builder(NetworkSpec network, const std::vector<Stage>& stages) : network_(std::move(network)) {
    std::uint32_t n_blocks = 0;
    for (const Stage& stage : stages) n_blocks += stage.n_blocks;
    // With as many residuals added up, so that updates do not grow with the depth.
    block_gain_ = static_cast<float>(std::pow(n_blocks, -0.25));
  }

  std::uint32_t add(Layer layer) { return append(network_, std::move(layer)); }

  void pointwise(std::uint32_t outputs, float gain = kLinearGain,
                 Activation activation = Activation::kNone) {
    add({.outputs = outputs,
         .activation = activation,
         .kind = &kConvolutionLayer,
         .has_bias = activation != Activation::kNone,
         .gain = gain});
  }

  void blocks(const Stage& stage) {
    for (std::uint32_t i = 0; i < stage.n_blocks; ++i) block(stage.width);
  }

  NetworkSpec& network() { return network_; }

 private:
  void block(std::uint32_t width) {
    const std::uint32_t inner = kExpansion * width;
    const auto input = static_cast<std::uint32_t>(network_.layers.size());
    pointwise(inner, block_gain_, Activation::kLeakyRelu);
    add({.outputs = inner,
         .activation = Activation::kLeakyRelu,
         .kind = &kConvolutionLayer,
         .window = {.kernel = 3, .padding = 1, .groups = inner / kGroupChannels},
         .gain = block_gain_});
    pointwise(width, 0);
    add({.kind = &kAddLayer, .from = {input, input + 3}});
  }

  NetworkSpec network_;
  float block_gain_ = 1;
};

NetworkSpec generator(const ModelSamples& samples, const std::vector<Stage>& stages) {
  Builder g({{kLatent}, {}, &kHeNormal, samples.n_classes}, stages);
  append_class_to_noise(g.network());
  const Stage& smallest = stages.front();
  g.add({.outputs = smallest.width, .has_bias = false, .gain = kLinearGain});
  g.add({.kind = &kReshapeLayer, .shape = {1, 1, smallest.width}});
  g.add({.outputs = smallest.width,
         .kind = &kTransposedConvolutionLayer,
         .window = {.kernel = smallest.size[0], .groups = smallest.width},
         .has_bias = false,
         .gain = kLinearGain * static_cast<float>(smallest.size[0])});  // N(0, 1)
  for (const Stage& stage : stages) {
    if (stage.size != smallest.size) {
      g.pointwise(stage.width);
      g.add({.kind = &kUpsampleLayer, .window = {.kernel = 2}});
    }
    g.blocks(stage);
  }
  g.pointwise(samples.shape[2], kLinearGain, Activation::kTanh);
  return g.network();
}

NetworkSpec discriminator(const ModelSamples& samples, const std::vector<Stage>& stages) {
  Builder d({samples.shape, {}, &kHeNormal, samples.n_classes}, stages);
  for (std::size_t i = stages.size(); i-- > 0;) {
    if (i + 1 < stages.size()) d.add({.kind = &kAveragePoolLayer, .window = {.kernel = 2}});
    d.pointwise(stages[i].width);
    d.blocks(stages[i]);
  }
  const Stage& smallest = stages.front();
  const std::uint32_t features =
      d.add({.outputs = smallest.width,
             .kind = &kConvolutionLayer,
             .window = {.kernel = smallest.size[0], .groups = smallest.width},
             .has_bias = false,
             .gain = kLinearGain});
  d.add({.outputs = 1, .has_bias = false, .gain = kLinearGain});
  add_projection(d.network(), features, smallest.width);
  return d.network();
}

GanSpec r3_tiny(const ModelSamples& samples) {
  const std::vector<Shape> sizes = halved_sizes(samples);
  if (sizes.size() < 2 || sizes.front()[0] != sizes.front()[1]) {
    throw ConfigError(
        "model r3-tiny is made for square images that can be halved down to 4 or more, such as "
        "28x28, 32x32 or 64x64; found " +
        describe(samples));
  }
  const std::vector<Stage> stages = stages_of(sizes);
  return {generator(samples, stages), discriminator(samples, stages)};
}

ModelSamples own32() {
  return {.shape = {32, 32, 3}};
}

}  // namespace

const ModelEntry kR3Tiny{"r3-tiny",
                         "square images of any size that can be halved down to 4, as 28x28, 32x32 "
                         "or 64x64: R3GAN of about 0.3 M parameters each",
                         r3_tiny,
                         own32,
                         true,
                         true};

}  // namespace lipizz::nn
