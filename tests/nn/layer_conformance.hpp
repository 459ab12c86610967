#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "nn/exec/inference.hpp"
#include "nn/finite_differences.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/dropout.hpp"
#include "nn/support.hpp"

/// The requirements on every kind of layer, with every field that it reads.
namespace lipizz::nn::testing {

/// A layer with what it takes and gives, of one sample, and its tensors.
struct LayerExample {
  Layer layer;
  Shape inputs;
  Shape outputs;
  std::vector<std::string> tensors;
  std::uint32_t n_classes = 0;  // it takes the rows' classes, and nothing from its input
};

inline NetworkSpec alone(const LayerExample& example) {
  NetworkSpec network{example.inputs, {example.layer}, &kHeNormal};
  // Without any operation there would be no result.
  const bool is_empty =
      example.layer.kind == &kReshapeLayer || example.layer.kind == &kDropoutLayer;
  if (is_empty) network.layers.push_back({.kind = &kActivationLayer});
  network.n_classes = example.n_classes;
  return network;
}

/// Between two layers, of which the first one's result depends on every parameter and input.
inline NetworkSpec behind_a_layer(const LayerExample& example, Activation activation) {
  const auto n = static_cast<std::uint32_t>(n_elements(example.inputs));
  NetworkSpec network{{n}, {{n, activation}}, &kHeNormal};
  if (example.inputs.size() == 3) {  // pointwise, so that images stay images
    network.inputs = example.inputs;
    network.layers = {{example.inputs[2], activation, &kConvolutionLayer, {}, true}};
  }
  network.layers.push_back(example.layer);
  // One of several inputs comes from the layer in front, the others from the network's input.
  if (!example.layer.from.empty()) network.layers.back().from.front() = 1;
  return network;
}

/// The fields of an example that are not defaults are among those that a configuration may set for
/// its kind.
inline void expect_told_what_it_reads(const LayerExample& example) {
  const Layer& layer = example.layer;
  const Layer untold;
  const std::vector<std::pair<std::string_view, bool>> told{
      {"outputs", layer.outputs != untold.outputs},
      {"activation", layer.activation != untold.activation},
      {"kernel", layer.window.kernel != untold.window.kernel},
      {"stride", layer.window.stride != untold.window.stride},
      {"padding", layer.window.padding != untold.window.padding},
      {"bias", layer.has_bias != untold.has_bias},
      {"spectral_norm", layer.has_spectral_norm != untold.has_spectral_norm},
      {"shape", layer.shape != untold.shape},
      {"rate", layer.rate != untold.rate},
      {"offset", layer.offset != untold.offset},
      {"from", layer.from.size() > 1}};
  for (const auto& [name, is_told] : told) {
    EXPECT_TRUE(!is_told || std::ranges::count(layer.kind->reads, name) == 1) << name;
  }
}

inline void expect_its_shapes_and_tensors(const LayerExample& example) {
  const NetworkSpec network = alone(example);
  EXPECT_EQ(n_outputs(network), n_elements(example.outputs));
  const ParameterLayout layout = parameter_layout(network);
  std::vector<std::string> names;
  for (const auto* blocks : {&layout.blocks, &layout.statistics}) {
    for (const ParameterBlock& block : *blocks) names.push_back(block.name);
  }
  EXPECT_EQ(names, example.tensors);
}

/// In front of a discriminator's last layer, rows in two groups.
inline void expect_true_gradients_of(const LayerExample& example) {
  NetworkSpec network = alone(example);
  network.layers.push_back({1});
  expect_true_gradients(discriminator_graph(network, 6), unsettled(network, 4), {},
                        doubles(normals(6 * n_elements(example.inputs), 5)), {0});
}

/// The derivative by the input is the gradient of the layer in front.
inline void expect_true_gradients_passed_on_by(const LayerExample& example) {
  NetworkSpec network = behind_a_layer(example, Activation::kNone);
  network.layers.push_back({1});
  expect_true_gradients(discriminator_graph(network, 6), unsettled(network, 4), {},
                        doubles(normals(6 * n_elements(example.inputs), 5)), {0});
}

/// The gradients of a gradient's length.
inline void expect_true_second_derivatives_of(const LayerExample& example) {
  NetworkSpec network = behind_a_layer(example, Activation::kTanh);
  network.layers.push_back({3, Activation::kSigmoid});
  network.layers.push_back({.outputs = 1, .has_bias = false});  // which has no part in a slope
  expect_true_gradients(penalty_graph(network, 4, find_penalty("wgan-gp")), unsettled(network, 4),
                        {}, doubles(normals(4 * n_elements(example.inputs), 5)), {0});
}

/// In inference a sample's result depends on that sample alone, on all engines nearly alike.
inline void expect_the_same_in_any_company(const LayerExample& example) {
  constexpr std::uint32_t kBatch = 4;
  const NetworkSpec network = alone(example);
  const std::size_t n_in = n_elements(example.inputs);
  const auto n_out = static_cast<std::ptrdiff_t>(n_elements(example.outputs));
  const Buffer<float> parameters = initial(network, 2);
  Buffer<float> judge;
  for (const auto& device : devices()) {
    Inference run(*device, network, kBatch, 1);
    std::ranges::fill(run.labels(), 2.0f);
    Buffer<float> x = normals(kBatch * n_in, 3);
    Buffer<float> first(kBatch * static_cast<std::size_t>(n_out));
    Buffer<float> second(first.size());
    infer(*device, run, parameters, x, first);
    std::fill(x.begin() + static_cast<std::ptrdiff_t>(n_in), x.end(), 0.5f);
    infer(*device, run, parameters, x, second);
    EXPECT_TRUE(std::equal(first.begin(), first.begin() + n_out, second.begin()));
    if (judge.empty()) judge = first;
    EXPECT_LT(relative_l2(first, judge), 1e-6);
  }
}

/// All of the above.
inline void expect_conformance(const LayerExample& example) {
  SCOPED_TRACE(example.layer.kind->name);
  EXPECT_FALSE(example.layer.kind->summary.empty());
  expect_told_what_it_reads(example);
  expect_its_shapes_and_tensors(example);
  expect_true_gradients_of(example);
  expect_the_same_in_any_company(example);
  if (example.n_classes > 0) return;
  expect_true_gradients_passed_on_by(example);
  expect_true_second_derivatives_of(example);
}

}  // namespace lipizz::nn::testing
