#include "nn/layers/activation.hpp"
#include "nn/layers/resampling.hpp"
#include "nn/models.hpp"
#include "nn/models/residual.hpp"

// Brock, Donahue, Simonyan 2019, as their code trains it on CIFAR-10: 64 channels four times, each
// class's scales and shifts of its own, no attention.
namespace lipizz::nn {
namespace {

constexpr std::uint32_t kLatent = 128;
constexpr std::uint32_t kChannels = 256;

NetworkSpec generator(std::uint32_t n_classes) {
  ResidualBuilder g({{kLatent}, {}, &kNormal02, n_classes}, true);
  g.linear(4 * 4 * kChannels);
  g.reshape({4, 4, kChannels});
  for (int block = 0; block < 3; ++block) g.up_block(kChannels);
  g.norm();
  g.convolution3(3);
  g.add({.activation = Activation::kTanh, .kind = &kActivationLayer});
  return g.take();
}

NetworkSpec discriminator(std::uint32_t n_classes) {
  ResidualBuilder d({{32, 32, 3}, {}, &kNormal02, n_classes}, true);
  d.first_down_block(kChannels);
  d.block(kChannels, true);
  d.block(kChannels, false);
  d.block(kChannels, false);
  d.relu();
  const std::uint32_t features = d.resample(kSumPoolLayer, 8);
  d.linear(1);
  d.project(features, kChannels);
  return d.take();
}

// With ten classes 4,304,387 and 4,207,361 parameters.
GanSpec biggan32(std::uint32_t n_classes) {
  return {generator(n_classes), discriminator(n_classes)};
}

}  // namespace

const ModelEntry kBiggan32{"biggan32",
                           "32x32 colour images: wide residual networks, spectral norm on both "
                           "(Brock et al. 2019); meant for the hinge loss, Adam (0, 0.999), four "
                           "steps of D, a moving average of G",
                           biggan32, true};

}  // namespace lipizz::nn
