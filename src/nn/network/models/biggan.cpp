#include <cstdint>
#include <vector>

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
// blocks). `biggan128` as they train it on ImageNet: 96 channels up to sixteen times, attention at
// 64x64 in both.
namespace lipizz::nn {
namespace {

constexpr std::uint32_t kLatent = 128;

NetworkSpec generator(std::uint32_t n_classes) {
  constexpr std::uint32_t kSliceChannels = 256;
  ResidualBuilder g({{kLatent}, {}, &kNormal02, n_classes}, true);
  g.linear(4 * 4 * kSliceChannels);
  g.reshape({4, 4, kSliceChannels});
  for (int block = 0; block < 3; ++block) g.up_block(kSliceChannels, kSliceChannels, g.last());
  g.norm();
  g.convolution3(3);
  g.add({.activation = Activation::kTanh, .kind = &kActivationLayer});
  return g.take();
}

// A block of a discriminator.
struct DownBlock {
  std::uint32_t channels;
  bool is_halved = false;
  bool is_attended = false;  // behind it
};

NetworkSpec discriminator(std::uint32_t size, const std::vector<DownBlock>& blocks,
                          std::uint32_t n_classes) {
  ResidualBuilder d({{size, size, 3}, {}, &kNormal02, n_classes}, true);
  for (const DownBlock& block : blocks) {
    if (&block == blocks.data()) {
      d.first_down_block(block.channels);
    } else {
      d.block(block.channels, block.is_halved);
    }
    if (block.is_attended) d.self_attention();
    if (block.is_halved) size /= 2;
  }
  d.relu();
  const std::uint32_t features = d.resample(kSumPoolLayer, size);
  d.linear(1);
  d.project(features, blocks.back().channels);
  return d.take();
}

// `channels`: of the smallest images, then behind each block, of which one is attended.
NetworkSpec hierarchical_generator(const std::vector<std::uint32_t>& channels,
                                   std::uint32_t attended, std::uint32_t n_classes) {
  constexpr std::uint32_t kPiece = 20;  // of the noise
  constexpr std::uint32_t kEmbedded = 128;
  const auto n_pieces = static_cast<std::uint32_t>(channels.size());
  ResidualBuilder g({{n_pieces * kPiece}, {}, &kNormal02, n_classes}, true);
  const auto piece_of_noise = [&](std::uint32_t i) {
    return g.add({.outputs = kPiece, .kind = &kChannelsLayer, .from = {0}, .offset = i * kPiece});
  };
  const std::uint32_t embedding =
      n_classes == 0 ? 0 : g.add({.outputs = kEmbedded, .kind = &kEmbeddingLayer});
  g.linear(4 * 4 * channels[0], true, {piece_of_noise(0)});
  std::uint32_t images = g.reshape({4, 4, channels[0]});
  for (std::uint32_t block = 1; block < n_pieces; ++block) {
    std::uint32_t condition = piece_of_noise(block);
    if (n_classes > 0) {
      condition = g.add({.kind = &kConcatenateLayer, .from = {embedding, condition}});
    }
    g.up_block(channels[block - 1], channels[block], images, condition);
    if (block == attended) g.self_attention();
    images = g.last();
  }
  g.norm();
  g.convolution3(3);
  g.add({.activation = Activation::kTanh, .kind = &kActivationLayer});
  return g.take();
}

// With ten classes 4,304,387 and 4,207,361 parameters.
GanSpec biggan32(const ModelSamples& samples) {
  return {generator(samples.n_classes),
          discriminator(32, {{256, true}, {256, true}, {256}, {256}}, samples.n_classes)};
}

// With ten classes 9,416,196 and 10,194,053 parameters.
GanSpec biggan32_attention(const ModelSamples& samples) {
  constexpr std::uint32_t kMany = 384;
  return {
      hierarchical_generator({kMany, kMany, kMany, kMany}, 2, samples.n_classes),
      discriminator(
          32,
          {{kMany, true, true}, {kMany, true, true}, {kMany, false, true}, {kMany, false, true}},
          samples.n_classes)};
}

// With a thousand classes 70,433,988 and 87,982,370 parameters.
GanSpec biggan128(const ModelSamples& samples) {
  return {hierarchical_generator({1536, 1536, 768, 384, 192, 96}, 4, samples.n_classes),
          discriminator(
              128, {{96, true, true}, {192, true}, {384, true}, {768, true}, {1536, true}, {1536}},
              samples.n_classes)};
}

ModelSamples photos() {
  return {.shape = {128, 128, 3}};
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
const ModelEntry kBiggan128{"biggan128",
                            "128x128 colour images: as biggan32-attention, deeper (Brock et al. "
                            "2019); meant for batches of "
                            "2048, Adam (0, 0.999), rates of 1e-4 and 4e-4",
                            biggan128, photos, true};

}  // namespace lipizz::nn
