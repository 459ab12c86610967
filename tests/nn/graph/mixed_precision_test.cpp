#include "nn/graph/mixed_precision.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "nn/cpu/plan.hpp"
#include "nn/graph/gradients.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn::mixed_precision_test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;

// A layer with its activation, a reduction and all derivatives.
struct Layer {
  Layer() {
    const ValueId x = graph.view(graph.add_slot("x", 6, Slot::Access::kRead), 0, {3, 2});
    const SlotId parameters = graph.add_slot("w", 10, Slot::Access::kReadWrite);
    const std::vector<ValueId> wanted{graph.view(parameters, 0, {2, 2}),
                                      graph.view(parameters, 4, {2, 2})};
    const ValueId labels = graph.view(graph.add_slot("l", 3, Slot::Access::kRead), 0, {3});
    const ValueId y = graph.apply(kMatmul, {x, wanted[0]});
    const ValueId a = graph.apply(kActivation, {y}, {.activation = Activation::kTanh});
    const ValueId logits = graph.apply(kMatmul, {a, wanted[1]});
    const ValueId loss = graph.apply(kCrossEntropy, {logits, labels});
    const SlotId out = graph.add_slot("out", 8, Slot::Access::kReadWrite);
    const auto gradients = add_gradients(graph, loss, wanted);
    graph.place(gradients[0], out, 0);
    graph.place(gradients[1], out, 4);
  }
  Graph graph;
};

bool is_rounded(const Graph& g, ValueId value) {
  return g.node(g.storage(value).owner).operation == &kRound;
}

TEST(MixedPrecision, factors_and_results_of_products_are_rounded_and_weight_gradients_are_not) {
  const Graph g = with_rounded_values(Layer().graph, Half::kFp16);
  std::vector<bool> rounded_inputs, rounded_gradients, logits, derivatives;
  for (const ValueId value : g.live_operations()) {
    const Node& node = g.node(value);
    for (const ValueId input : node.inputs) {
      if (node.operation == &kMatmul) rounded_inputs.push_back(is_rounded(g, input));
      if (node.operation == &kCrossEntropyGradient) logits.push_back(is_rounded(g, input));
      if (node.operation == &kActivationGradient) derivatives.push_back(is_rounded(g, input));
      if (node.operation != &kRound) continue;
      const Node& source = g.node(input);
      if (source.operation == &kMatmul) rounded_gradients.push_back(source.attributes.transpose_a);
    }
  }
  EXPECT_EQ(rounded_inputs.size(), 10U);
  EXPECT_THAT(rounded_inputs, Each(true));
  EXPECT_THAT(logits, ElementsAre(true, false)) << "labels are what they are";
  EXPECT_THAT(derivatives, ElementsAre(true, true));
  EXPECT_THAT(rounded_gradients, Not(Contains(true)));
}

// The derivative by the logits goes into two products that follow one another, the samples into
// the first one and the last.
TEST(MixedPrecision, a_factor_has_one_rounded_copy_for_products_that_are_not_far) {
  const Graph g = with_rounded_values(Layer().graph, Half::kFp16);
  const auto rounds = [&g](const auto& is_source) {
    return std::ranges::count_if(g.live_operations(), [&](ValueId value) {
      const Node& node = g.node(value);
      return node.operation == &kRound && is_source(g.node(node.inputs[0]));
    });
  };
  EXPECT_EQ(rounds([](const Node& node) { return node.operation == &kCrossEntropyGradient; }), 1);
  EXPECT_EQ(
      rounds([](const Node& node) { return node.location && node.location->slot.index == 0; }), 2);
}

// Memory that an operation has written since is rounded anew.
TEST(MixedPrecision, a_rounded_copy_is_made_anew_where_its_memory_is_written) {
  Graph g;
  const SlotId slot = g.add_slot("x", 4, Slot::Access::kReadWrite);
  const SlotId out = g.add_slot("out", 8, Slot::Access::kReadWrite);
  const ValueId x = g.view(slot, 0, {2, 2});
  g.place(g.apply(kMatmul, {x, x}), out, 0);
  g.apply(kClip, {x}, {.number = 1});
  g.place(g.apply(kMatmul, {x, x}), out, 4);
  Plan<float> plan({}, with_rounded_values(g, Half::kFp16), 1);
  Buffer<float> values{2, 0, 0, 2};
  Buffer<float> results(8);
  plan.bind(slot, 0, std::span(values));
  plan.bind(out, 0, std::span(results));
  plan.run();
  EXPECT_EQ(results[0], 4);
  EXPECT_EQ(results[4], 1);
}

// The same where a result is placed there.
TEST(MixedPrecision, a_rounded_copy_is_made_anew_where_a_result_is_placed) {
  Graph g;
  const SlotId slot = g.add_slot("x", 4, Slot::Access::kInternal);
  const SlotId in = g.add_slot("in", 4, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 8, Slot::Access::kReadWrite);
  const ValueId x = g.view(slot, 0, {2, 2});
  const ValueId given = g.view(in, 0, {2, 2});
  g.place(g.apply(kMatmul, {given, given}), slot, 0);
  g.place(g.apply(kMatmul, {x, given}), out, 0);
  g.place(g.apply(kMatmul, {x, x}), slot, 0);
  g.place(g.apply(kMatmul, {x, given}), out, 4);
  Plan<float> plan({}, with_rounded_values(g, Half::kFp16), 1);
  const Buffer<float> values{2, 0, 0, 2};
  Buffer<float> results(8);
  plan.bind(in, 0, std::span<const float>(values));
  plan.bind(out, 0, std::span(results));
  plan.run();
  EXPECT_EQ(results[0], 8);
  EXPECT_EQ(results[4], 32);
}

}  // namespace
}  // namespace lipizz::nn::mixed_precision_test
