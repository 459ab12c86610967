#include <string>
#include <vector>

#include "core/error.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/models.hpp"
#include "nn/network/models/classes.hpp"
#include "nn/network/models/halved_sizes.hpp"

// Radford, Metz, Chintala 2016, as in PyTorch's example: convolutions without bias where batch norm
// follows, no batch norm at the generator's output and the discriminator's input.
namespace lipizz::nn {
namespace {

constexpr std::uint32_t kLatent = 100;
constexpr Window kHalving{.kernel = 4, .stride = 2, .padding = 1};

Layer convolution(std::uint32_t outputs, Window window, Activation activation = Activation::kNone) {
  return {outputs, activation, &kConvolutionLayer, window, false};
}

Layer transposed(std::uint32_t outputs, Window window, Activation activation = Activation::kNone) {
  return {outputs, activation, &kTransposedConvolutionLayer, window, false};
}

Layer batch_norm(Activation activation) {
  return {.activation = activation, .kind = &kBatchNormLayer};
}

// `widths`: channels of the smallest images first, without those of the images themselves.
void add_generator(NetworkSpec& generator, const Shape& smallest,
                   const std::vector<std::uint32_t>& widths, std::uint32_t channels) {
  append_class_to_noise(generator);
  auto& g = generator.layers;
  if (smallest[0] == smallest[1]) {
    g.push_back(transposed(widths[0], {.kernel = smallest[0]}));
  } else {
    g.push_back({.outputs = smallest[0] * smallest[1] * widths[0], .has_bias = false});
    g.push_back({.kind = &kReshapeLayer, .shape = {smallest[0], smallest[1], widths[0]}});
  }
  g.push_back(batch_norm(Activation::kRelu));
  for (std::size_t i = 1; i < widths.size(); ++i) {
    g.push_back(transposed(widths[i], kHalving));
    g.push_back(batch_norm(Activation::kRelu));
  }
  g.push_back(transposed(channels, kHalving, Activation::kTanh));
}

void add_discriminator(NetworkSpec& discriminator, const Shape& smallest,
                       const std::vector<std::uint32_t>& widths) {
  constexpr auto kLeaky = Activation::kLeakyRelu;
  auto& d = discriminator.layers;
  d.push_back(convolution(widths.back(), kHalving, kLeaky));
  for (std::size_t i = widths.size() - 1; i-- > 0;) {
    d.push_back(convolution(widths[i], kHalving));
    d.push_back(batch_norm(kLeaky));
  }
  if (smallest[0] != smallest[1]) {
    d.push_back({.outputs = 1, .has_bias = false});
    return;
  }
  const Window whole{.kernel = smallest[0]};
  const auto features = static_cast<std::uint32_t>(d.size());
  if (discriminator.n_classes > 0) d.push_back({.kind = &kSumPoolLayer, .window = whole});
  d.push_back(convolution(1, whole));
  d.back().from = {features};
  add_projection(discriminator, features + 1, widths.front());
}

// `narrowest`: channels at the largest size. With 64 as published: for 28x28x1 759,680 and 138,624
// parameters; of 32x32x3 1,068,928 and 663,296; of 64x64x3
// 3,576,704 and 2,765,568; of 128x128x3 12,786,560 and 11,164,416.
template <std::uint32_t narrowest>
GanSpec dcgan(const ModelSamples& samples) {
  const std::vector<Shape> sizes = halved_sizes(samples);
  if (sizes.size() < 3) {
    throw ConfigError(
        "model dcgan is made for images whose height and width can be halved twice down to 4 or "
        "more, such as 28x28, 48x64 or 96x96; found " +
        describe(samples));
  }
  if (samples.n_classes > 0 && sizes[0][0] != sizes[0][1]) {
    throw ConfigError("model dcgan can be class-conditional with square images only; found " +
                      describe(samples));
  }
  std::vector<std::uint32_t> widths;
  for (std::size_t stage = 1; stage < sizes.size(); ++stage) {
    widths.insert(widths.begin(), narrowest << (stage - 1));
  }
  GanSpec gan{{{1, 1, kLatent}, {}, &kNormal02, samples.n_classes},
              {samples.shape, {}, &kNormal02, samples.n_classes}};
  add_generator(gan.generator, sizes.back(), widths, samples.shape[2]);
  add_discriminator(gan.discriminator, sizes.back(), widths);
  return gan;
}

ModelSamples own28() {
  return {.shape = {28, 28, 1}};
}

ModelSamples own32() {
  return {.shape = {32, 32, 3}};
}

ModelSamples own64() {
  return {.shape = {64, 64, 3}};
}

ModelSamples own128() {
  return {.shape = {128, 128, 3}};
}

}  // namespace

const ModelEntry kDcgan{"dcgan",
                        "images of any size that can be halved twice or more down to 4, as 28x28, "
                        "48x64 or 96x96: DCGAN",
                        dcgan<64>,
                        own32,
                        true,
                        true};
const ModelEntry kDcganHalf{
    "dcgan-half", "as dcgan, with half as many channels: a quarter of the arithmetic",
    dcgan<32>,    own32,
    true,         true};
const ModelEntry kDcgan28{"dcgan28", "28x28 grey images: DCGAN of two stages from 7x7", dcgan<64>,
                          own28, true};
const ModelEntry kDcgan32{"dcgan32", "32x32 colour images: DCGAN of three stages", dcgan<64>, own32,
                          true};
const ModelEntry kDcgan64{"dcgan64", "64x64 colour images: DCGAN of four stages", dcgan<64>, own64,
                          true};
const ModelEntry kDcgan128{"dcgan128", "128x128 colour images: DCGAN of five stages", dcgan<64>,
                           own128, true};

}  // namespace lipizz::nn
