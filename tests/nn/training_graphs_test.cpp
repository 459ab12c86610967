#include "nn/training_graphs.hpp"

#include <gtest/gtest.h>

#include "nn/operations.hpp"

namespace lipizz::nn {
namespace {

// Products x^T dy that end in a weight gradient.
int weight_gradients(const Graph& graph) {
  int n = 0;
  for (const ValueId value : graph.live_operations()) {
    const Node& node = graph.node(value);
    n += node.operation == &kMatmul && node.attributes.transpose_a ? 1 : 0;
  }
  return n;
}

// The published MNIST step: 272.9 and 296.0 MFLOP of matrix products at batch 100.
TEST(GeneratorStep, computes_no_weight_gradient_of_the_discriminator) {
  const Graph graph = generator_step_graph(make_model("mlp"), {}, 100).graph;
  EXPECT_EQ(weight_gradients(graph), 3);
  EXPECT_NEAR(static_cast<double>(graph.flops()) / 1e6, 272.9, 1.5);
}

TEST(DiscriminatorStep, computes_no_gradient_of_the_generator_or_of_an_image) {
  const Graph graph = discriminator_step_graph(make_model("mlp"), {}, 100).graph;
  EXPECT_EQ(weight_gradients(graph), 3);
  EXPECT_NEAR(static_cast<double>(graph.flops()) / 1e6, 296.0, 1.5);
}

}  // namespace
}  // namespace lipizz::nn
