#include "nn/graph/graph_copy.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn::graph_copy_test {
namespace {

// Two branches that slice a value of the trunk, the second at another stage.
Graph example() {
  Graph g;
  const SlotId in = g.add_slot("in", 12, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 12, Slot::Access::kReadWrite);
  const ValueId x =
      g.apply(kActivation, {g.view(in, 0, {3, 4})}, {.activation = Activation::kTanh});
  for (const std::uint32_t branch : {1U, 2U}) {
    g.set_branch(branch);
    g.set_stage(branch - 1);
    const ValueId part = g.slice(x, 4 * branch, {4});
    g.place(g.apply(kAdd, {part, part}), out, 4 * branch);
  }
  return g;
}

void expect_alike(const Graph& a, const Graph& b) {
  const std::vector<ValueId> of_a = a.live_operations();
  const std::vector<ValueId> of_b = b.live_operations();
  ASSERT_EQ(of_a.size(), of_b.size());
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const Node& one = a.node(of_a[i]);
    const Node& other = b.node(of_b[i]);
    EXPECT_EQ(one.operation, other.operation);
    EXPECT_EQ(one.shape, other.shape);
    EXPECT_EQ(one.location, other.location);
    EXPECT_EQ(one.branch, other.branch);
    EXPECT_EQ(one.stage, other.stage);
    for (std::size_t input = 0; input < one.inputs.size(); ++input) {
      EXPECT_EQ(a.storage(one.inputs[input]).offset, b.storage(other.inputs[input]).offset);
    }
  }
}

TEST(GraphCopy, of_all_operations_is_the_graph) {
  const Graph graph = example();
  GraphCopy copy(graph);
  for (const ValueId operation : graph.live_operations()) copy.copy(operation);
  expect_alike(copy.graph(), graph);
  EXPECT_EQ(copy.graph().slots().size(), graph.slots().size());
}

TEST(GraphCopy, what_stands_for_a_value_is_read_in_its_place) {
  const Graph graph = example();
  GraphCopy copy(graph);
  const std::vector<ValueId> live = graph.live_operations();
  const ValueId twice =
      copy.graph().apply(kScaleBy, {copy.copy(live[0]), copy.graph().view({0}, 0, {1})});
  copy.replace(live[0], twice);
  const Node& reader = copy.graph().node(copy.copy(live[1]));
  EXPECT_EQ(copy.graph().storage(reader.inputs[0]).owner, twice);
}

TEST(GraphCopy, a_value_that_has_not_been_made_cannot_be_read) {
  const Graph graph = example();
  GraphCopy copy(graph);
  EXPECT_THROW(copy.copy(graph.live_operations()[1]), InternalError);
}

}  // namespace
}  // namespace lipizz::nn::graph_copy_test
