#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/conditional.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/models.hpp"
#include "nn/network/models/residual.hpp"

// Brock, Donahue, Simonyan 2019. `biggan32` as their code trains it on CIFAR-10: 64 channels four
// times, each class's scales and shifts of its own, no attention. `biggan32-attention` as their
// larger ones: 96 channels four times, an embedding for all norms, a piece of the noise for each
// block, attention at 16x16 (and, as in their table of the discriminator, behind each of its
// blocks).
namespace lipizz::nn {
namespace {

constexpr std::uint32_t kLatent = 128;

NetworkSpec generator(std::uint32_t n_classes) {
  constexpr std::uint32_t kSliceChannels = 256;
  ResidualBuilder g({{kLatent}, {}, &kNormal02, n_classes}, true);
  g.linear(4 * 4 * kSliceChannels);
  g.reshape({4, 4, kSliceChannels});
  for (int block = 0; block < 3; ++block) g.up_block(kSliceChannels, g.last());
  g.norm();
  g.convolution3(3);
  g.add({.activation = Activation::kTanh, .kind = &kActivationLayer});
  return g.take();
}

NetworkSpec discriminator(std::uint32_t channels, bool has_attention, std::uint32_t n_classes) {
  ResidualBuilder d({{32, 32, 3}, {}, &kNormal02, n_classes}, true);
  d.first_down_block(channels);
  for (const bool is_halved : {true, false, false}) {
    if (has_attention) d.self_attention();
    d.block(channels, is_halved);
  }
  if (has_attention) d.self_attention();
  d.relu();
  const std::uint32_t features = d.resample(kSumPoolLayer, 8);
  d.linear(1);
  d.project(features, channels);
  return d.take();
}

NetworkSpec hierarchical_generator(std::uint32_t n_classes) {
  constexpr std::uint32_t kSliceChannels = 384;
  constexpr std::uint32_t kPiece = 20;  // of the noise
  constexpr std::uint32_t kEmbedded = 128;
  ResidualBuilder g({{4 * kPiece}, {}, &kNormal02, n_classes}, true);
  const auto piece_of_noise = [&](std::uint32_t i) {
    return g.add({.outputs = kPiece, .kind = &kChannelsLayer, .from = {0}, .offset = i * kPiece});
  };
  const std::uint32_t embedding =
      n_classes == 0 ? 0 : g.add({.outputs = kEmbedded, .kind = &kEmbeddingLayer});
  g.linear(4 * 4 * kSliceChannels, true, {piece_of_noise(0)});
  std::uint32_t images = g.reshape({4, 4, kSliceChannels});
  for (std::uint32_t block = 1; block <= 3; ++block) {
    std::uint32_t condition = piece_of_noise(block);
    if (n_classes > 0) {
      condition = g.add({.kind = &kConcatenateLayer, .from = {embedding, condition}});
    }
    g.up_block(kSliceChannels, images, condition);
    if (block == 2) g.self_attention();
    images = g.last();
  }
  g.norm();
  g.convolution3(3);
  g.add({.activation = Activation::kTanh, .kind = &kActivationLayer});
  return g.take();
}

// With ten classes 4,304,387 and 4,207,361 parameters.
GanSpec biggan32(const ModelSamples& samples) {
  return {generator(samples.n_classes), discriminator(256, false, samples.n_classes)};
}

// With ten classes 9,416,196 and 10,194,053 parameters.
GanSpec biggan32_attention(const ModelSamples& samples) {
  return {hierarchical_generator(samples.n_classes), discriminator(384, true, samples.n_classes)};
}

ModelSamples small_photos() {
  return {.shape = {32, 32, 3}};
}

}  // namespace

const ModelEntry kBiggan32{"biggan32",
                           "32x32 colour images: wide residual networks, spectral norm on both "
                           "(Brock et al. 2019); meant for the hinge loss, Adam (0, 0.999), four "
                           "steps of D, a moving average of G",
                           biggan32, small_photos, true};
const ModelEntry kBiggan32Attention{
    "biggan32-attention",
    "as biggan32, wider, with self-attention and noise for every block (Brock et al. 2019)",
    biggan32_attention, small_photos, true};

}  // namespace lipizz::nn
