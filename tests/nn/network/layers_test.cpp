#include "nn/network/layers.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "nn/layer_conformance.hpp"
#include "nn/layer_examples.hpp"
#include "nn/network/layers/conditional.hpp"
#include "nn/network/layers/dropout.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/layers/self_attention.hpp"

// The conformance suite of layers: every kind, with every field that it reads.
namespace lipizz::nn::layers_test {
namespace {

using ::testing::ElementsAre;

using Example = testing::LayerExample;
using testing::layer_examples;

TEST(Layers, have_an_example_each) {
  for (const LayerKind* kind : layers()) {
    EXPECT_TRUE(std::ranges::any_of(layer_examples(), [&](const Example& example) {
      return example.layer.kind == kind;
    })) << kind->name;
  }
}

TEST(Layers, conform) {
  for (const Example& example : layer_examples()) testing::expect_conformance(example);
}

TEST(Layers, have_a_gain_in_their_initial_weights) {
  const NetworkSpec network{{40}, {{.outputs = 30}}, &kHeNormal};
  NetworkSpec doubled = network;
  doubled.layers[0].gain = 2;
  const Buffer<float> once = testing::initial(network, 1);
  const Buffer<float> twice = testing::initial(doubled, 1);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_FLOAT_EQ(twice[i], 2 * once[i]);
}

TEST(Layers, take_only_what_comes_before_them) {
  const NetworkSpec ahead{{2}, {{.kind = &kAddLayer, .from = {0, 1}}}};
  EXPECT_THROW(n_outputs(ahead), InternalError);
}

TEST(Layers, refuse_inputs_of_other_shapes) {
  const NetworkSpec flat{{12}, {{2, Activation::kNone, &kConvolutionLayer, {.kernel = 3}}}};
  EXPECT_THROW(n_outputs(flat), InternalError);
  const NetworkSpec small{{2, 2, 1}, {{2, Activation::kNone, &kConvolutionLayer, {.kernel = 3}}}};
  EXPECT_THROW(n_outputs(small), InternalError);
}

// A diagonal matrix: the vectors find its largest element, by which it is divided.
TEST(SpectralNorm, divides_by_the_largest_singular_value) {
  const NetworkSpec network{{3}, {{.outputs = 3, .has_spectral_norm = true}}};
  const ParameterLayout layout = parameter_layout(network);
  for (const Engine& engine : testing::engines()) {
    for (const Mode mode : {Mode::kTraining, Mode::kFrozen, Mode::kInference}) {
      Graph g;
      const SlotId own = g.add_slot("own", layout.n_padded, Slot::Access::kReadWrite);
      const SlotId in = g.add_slot("x", 3, Slot::Access::kRead);
      const SlotId out = g.add_slot("y", 3, Slot::Access::kReadWrite);
      g.place(add_network(g, network, own, g.view(in, 0, {1, 3}), {.mode = mode}), out, 0);
      Buffer<float> parameters = testing::initial(network, 1);
      std::fill_n(parameters.begin(), layout.n_parameters, 0.0f);
      parameters[0] = 1;
      parameters[4] = -5;
      parameters[8] = 2;
      const Buffer<float> before = parameters;
      const std::vector<float> x{1, 1, 1};
      std::vector<float> y(3);
      Plan<float> plan(engine, g, 1);
      plan.bind(own, 0, std::span<float>(parameters));
      plan.bind(in, 0, std::span<const float>(x));
      plan.bind(out, 0, std::span<float>(y));
      for (int i = 0; i < 60; ++i) plan.run();
      EXPECT_EQ(parameters == before, mode != Mode::kTraining);
      if (mode != Mode::kTraining) continue;
      EXPECT_NEAR(y[0], 0.2, 1e-6);
      EXPECT_NEAR(y[1], -1, 1e-6);
      EXPECT_NEAR(y[2], 0.4, 1e-6);
    }
  }
}

// Two batches of one channel, by hand: r += 0.1 (s - r), first the one, then the other.
TEST(BatchNorm, keeps_up_running_statistics_batch_by_batch) {
  const NetworkSpec network{{1}, {{.kind = &kBatchNormLayer}}};
  const ParameterLayout layout = parameter_layout(network);
  const std::vector<float> x{1, 3, 10, 14, 18, 18};
  const double mean = 0.9 * (0.1 * (14.0 / 3)) + 0.1 * (50.0 / 3);
  const double variances[2] = {
      (std::pow(1 - 14.0 / 3, 2) + std::pow(3 - 14.0 / 3, 2) + std::pow(10 - 14.0 / 3, 2)) / 2,
      16.0 / 3};
  const double variance = 0.9 * (0.9 + 0.1 * variances[0]) + 0.1 * variances[1];
  for (const Mode mode : {Mode::kTraining, Mode::kFrozen, Mode::kInference}) {
    for (const Engine& engine : testing::engines()) {
      Graph g;
      const SlotId own = g.add_slot("own", layout.n_padded, Slot::Access::kReadWrite);
      const SlotId in = g.add_slot("x", x.size(), Slot::Access::kRead);
      const SlotId out = g.add_slot("y", x.size(), Slot::Access::kReadWrite);
      g.place(add_network(g, network, own, g.view(in, 0, {6, 1}), {.mode = mode, .n_batches = 2}),
              out, 0);
      Buffer<float> parameters = testing::initial(network, 1);
      Buffer<float> y(x.size());
      Plan<float> plan(engine, g, 1);
      plan.bind(own, 0, std::span<float>(parameters));
      plan.bind(in, 0, std::span<const float>(x));
      plan.bind(out, 0, std::span<float>(y));
      plan.run();
      const float* running = parameters.data() + layout.statistics.front().offset;
      const bool is_kept = mode == Mode::kTraining;
      EXPECT_NEAR(running[0], is_kept ? mean : 0, 1e-6);
      EXPECT_NEAR(running[1], is_kept ? variance : 1, 1e-5);
      const double normalised = (1 - 14.0 / 3) / std::sqrt(2 * variances[0] / 3 + 1e-5);
      EXPECT_NEAR(y[0], mode == Mode::kInference ? 1 / std::sqrt(1 + 1e-5) : normalised, 1e-5);
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::layers_test
