#include <gtest/gtest.h>

#include <algorithm>

#include "nn/cpu/plan.hpp"
#include "nn/graph/convolution.hpp"
#include "nn/graph/gradients.hpp"
#include "nn/network/models/overfitting.hpp"

namespace lipizz::nn::pix2pix_test {
namespace {

// Batch norm couples all pixels by their statistics, and is no part of where a logit looks.
NetworkSpec without_batch_norm(NetworkSpec network) {
  for (Layer& layer : network.layers) {
    if (layer.kind == &kBatchNormLayer) layer.kind = &kActivationLayer;
  }
  return network;
}

// The derivative d logit / d image of the logit in the middle of a discriminator's.
struct Probe {
  explicit Probe(const NetworkSpec& network) : slope(network.n_inputs()) {
    using Access = Slot::Access;
    Graph g;
    const Buffer<float> parameters = testing::initial(network, 1);
    const Buffer<float> image = testing::normals(network.n_inputs(), 2);
    Buffer<float> chosen(n_outputs(network));
    dimension = static_cast<std::uint32_t>(std::sqrt(chosen.size()));
    chosen[dimension / 2 * dimension + dimension / 2] = 1;
    const SlotId parameters_slot = g.add_slot("parameters", parameters.size(), Access::kRead);
    const SlotId image_slot = g.add_slot("image", image.size(), Access::kRead);
    const SlotId chosen_slot = g.add_slot("chosen", chosen.size(), Access::kRead);
    const SlotId slope_slot = g.add_slot("slope", slope.size(), Access::kReadWrite);
    const ValueId x = g.view(image_slot, 0, {1, network.n_inputs()});
    const ValueId logits = add_network(g, network, parameters_slot, x, {});
    const ValueId upstream = g.view(chosen_slot, 0, g.shape(logits));
    g.place(add_derivatives(g, logits, upstream, std::span(&x, 1)).front(), slope_slot, 0);
    // By windows: filtering leaves rounding errors of what it takes together beyond the patch.
    for (const ValueId value : g.live_operations()) {
      if (is_convolution(g, value)) g.set_algorithm(value, ConvolutionAlgorithm::kIm2col);
    }
    Plan<float> plan(testing::engines().back(), g, 1);
    plan.bind(parameters_slot, 0, std::span<const float>(parameters));
    plan.bind(image_slot, 0, std::span<const float>(image));
    plan.bind(chosen_slot, 0, std::span<const float>(chosen));
    plan.bind(slope_slot, 0, std::span<float>(slope));
    plan.run();
  }

  Buffer<float> slope;
  std::uint32_t dimension = 0;  // of the map of logits
};

// The halvings begin at each 8th pixel; all of the paddings move the patch 23 up and left.
TEST(Pix2pix, judges_patches_of_70x70) {
  constexpr std::uint32_t kExtent = 256;
  constexpr std::uint32_t kSliceChannels = 6;
  constexpr std::uint32_t kPatch = 70;
  const Probe probe(without_batch_norm(make_model("pix2pix").discriminator));
  const std::uint32_t first = probe.dimension / 2 * 8 - 23;
  const auto is_in = [&](std::uint32_t at) { return at >= first && at < first + kPatch; };
  for (std::uint32_t y = 0; y < kExtent; ++y) {
    for (std::uint32_t x = 0; x < kExtent; ++x) {
      const auto pixel =
          std::span(probe.slope).subspan((y * kExtent + x) * kSliceChannels, kSliceChannels);
      const bool is_seen = std::ranges::any_of(pixel, [](float slope) { return slope != 0; });
      ASSERT_EQ(is_seen, is_in(y) && is_in(x)) << y << " " << x;
    }
  }
}

TEST(Pix2pix, learns_one_small_pair_by_heart) {
  const auto dataset = data::open_dataset("glyph-edges", {.data_dir = {}, .max_samples = 1});
  testing::Overfitting training("pix2pix32", *dataset, testing::engines().back());
  EXPECT_GT(training.l1(), 0.5);
  training.train(650);
  EXPECT_LT(training.l1(), 0.05);
}

}  // namespace
}  // namespace lipizz::nn::pix2pix_test
