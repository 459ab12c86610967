#include <vector>

#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/models.hpp"
#include "nn/network/models/classes.hpp"

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

// `widths`: channels after each of the generator's stages but the last; the discriminator's in
// reverse. `first`: size of the smallest images.
GanSpec dcgan(std::uint32_t size, std::uint32_t channels, std::uint32_t first,
              const std::vector<std::uint32_t>& widths, std::uint32_t n_classes) {
  GanSpec gan{{{1, 1, kLatent}, {}, &kNormal02, n_classes},
              {{size, size, channels}, {}, &kNormal02, n_classes}};
  append_class_to_noise(gan.generator);
  auto& g = gan.generator.layers;
  const Window whole{.kernel = first};
  for (std::size_t i = 0; i < widths.size(); ++i) {
    g.push_back(transposed(widths[i], i == 0 ? whole : kHalving));
    g.push_back(batch_norm(Activation::kRelu));
  }
  g.push_back(transposed(channels, kHalving, Activation::kTanh));

  auto& d = gan.discriminator.layers;
  constexpr auto kLeaky = Activation::kLeakyRelu;
  d.push_back(convolution(widths.back(), kHalving, kLeaky));
  for (std::size_t i = widths.size() - 1; i-- > 0;) {
    d.push_back(convolution(widths[i], kHalving));
    d.push_back(batch_norm(kLeaky));
  }
  const auto features = static_cast<std::uint32_t>(d.size());
  if (n_classes > 0) d.push_back({.kind = &kSumPoolLayer, .window = whole});
  d.push_back(convolution(1, whole));
  d.back().from = {features};
  add_projection(gan.discriminator, features + 1, widths.front());
  return gan;
}

// 759,680 and 138,624 parameters.
GanSpec dcgan28(std::uint32_t n_classes) {
  return dcgan(28, 1, 7, {128, 64}, n_classes);
}

// 1,068,928 and 663,296 parameters.
GanSpec dcgan32(std::uint32_t n_classes) {
  return dcgan(32, 3, 4, {256, 128, 64}, n_classes);
}

// 3,576,704 and 2,765,568 parameters.
GanSpec dcgan64(std::uint32_t n_classes) {
  return dcgan(64, 3, 4, {512, 256, 128, 64}, n_classes);
}

}  // namespace

const ModelEntry kDcgan28{"dcgan28", "28x28 grey images: DCGAN of two stages from 7x7", dcgan28,
                          true};
const ModelEntry kDcgan32{"dcgan32", "32x32 colour images: DCGAN of three stages", dcgan32, true};
const ModelEntry kDcgan64{"dcgan64", "64x64 colour images: DCGAN of four stages", dcgan64, true};

}  // namespace lipizz::nn
