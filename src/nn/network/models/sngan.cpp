#include <cmath>

#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/models.hpp"
#include "nn/network/models/residual.hpp"

// Miyato et al. 2018, table 4, as in their code: residual blocks, spectral norm on all of the
// discriminator; with classes, theirs of "cGANs with projection discriminator" (2018).
namespace lipizz::nn {
namespace {

constexpr std::uint32_t kLatent = 128;

NetworkSpec generator(std::uint32_t n_classes) {
  constexpr std::uint32_t kSliceChannels = 256;
  ResidualBuilder g({{kLatent}, {}, &kGlorotUniform, n_classes}, false);
  g.set_gain(std::sqrt(2.0f));
  g.linear(4 * 4 * kSliceChannels);
  g.reshape({4, 4, kSliceChannels});
  for (int block = 0; block < 3; ++block) g.up_block(kSliceChannels, kSliceChannels, g.last());
  g.norm();
  g.set_gain(1);
  g.convolution3(3);
  g.add({.activation = Activation::kTanh, .kind = &kActivationLayer});
  return g.take();
}

NetworkSpec discriminator(std::uint32_t n_classes) {
  constexpr std::uint32_t kSliceChannels = 128;
  ResidualBuilder d({{32, 32, 3}, {}, &kGlorotUniform, n_classes}, true);
  d.set_gain(std::sqrt(2.0f));
  d.first_down_block(kSliceChannels);
  d.block(kSliceChannels, true);
  d.block(kSliceChannels, false);
  d.block(kSliceChannels, false);
  d.relu();
  const std::uint32_t features = d.resample(kSumPoolLayer, 8);
  d.linear(1, false);
  d.project(features, kSliceChannels);
  return d.take();
}

// 4,276,739 and 1,053,824 parameters; with ten classes 4,304,387 and 1,055,104.
GanSpec sngan32(const ModelSamples& samples) {
  return {generator(samples.n_classes), discriminator(samples.n_classes)};
}

ModelSamples small_photos() {
  return {.shape = {32, 32, 3}};
}

}  // namespace

const ModelEntry kSngan32{"sngan32",
                          "32x32 colour images: residual networks, spectral norm (Miyato et al. "
                          "2018); meant for the hinge loss, Adam (0, 0.9), five steps of D",
                          sngan32, small_photos, true};

}  // namespace lipizz::nn
