#include "nn/network/inference_graph.hpp"

#include <gtest/gtest.h>

#include "nn/support.hpp"

namespace lipizz::nn::inference_graph_test {
namespace {

TEST(InferenceGraph, has_slots_of_the_whole_network_and_of_a_batch) {
  const NetworkSpec network = testing::tiny_image_gan().generator;
  const InferenceGraph made = inference_graph(network, 4);
  const auto size = [&](SlotId slot) { return made.graph.slots()[slot.index].n_elements; };
  EXPECT_EQ(size(made.parameters), parameter_layout(network).n_padded);
  EXPECT_EQ(size(made.input), 4U * 3);
  EXPECT_EQ(size(made.output), 4U * 5 * 5 * 2);
}

TEST(InferenceGraph, may_end_after_any_layer) {
  const NetworkSpec network = testing::tiny_gan().generator;
  const InferenceGraph made = inference_graph(network, 2, 1);
  EXPECT_EQ(made.graph.slots()[made.output.index].n_elements, 2U * 5);
  EXPECT_EQ(made.graph.slots()[made.parameters.index].n_elements,
            parameter_layout(network).n_padded);
}

}  // namespace
}  // namespace lipizz::nn::inference_graph_test
