#include "nn/graph/graph.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "nn/graph/operations.hpp"

namespace lipizz::nn::graph_test {
namespace {

TEST(Graph, the_same_place_and_shape_is_the_same_value) {
  Graph g;
  const SlotId slot = g.add_slot("x", 12, Slot::Access::kRead);
  const ValueId a = g.view(slot, 0, {3, 4});
  EXPECT_EQ(a, g.view(slot, 0, {3, 4}));
  EXPECT_NE(a, g.view(slot, 0, {4, 3}));
  EXPECT_NE(a, g.view(slot, 4, {2, 4}));
}

TEST(Graph, shape_rules_refuse_what_does_not_fit) {
  Graph g;
  const SlotId slot = g.add_slot("x", 24, Slot::Access::kRead);
  const ValueId a = g.view(slot, 0, {3, 4});
  const ValueId b = g.view(slot, 12, {4, 2});
  EXPECT_THAT(g.shape(g.apply(kMatmul, {a, b})), ::testing::ElementsAre(3, 2));
  EXPECT_THAT(g.shape(g.apply(kMatmul, {a, a}, {.transpose_a = true})),
              ::testing::ElementsAre(4, 4));
  EXPECT_THROW(g.apply(kMatmul, {a, a}), InternalError);
  EXPECT_THROW(g.apply(kAdd, {a, b}), InternalError);
  EXPECT_THROW(g.apply(kLinear, {a, b, a}), InternalError);
}

TEST(Graph, only_what_leads_to_a_result_is_live) {
  Graph g;
  const SlotId in = g.add_slot("in", 4, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 4, Slot::Access::kReadWrite);
  const ValueId x = g.view(in, 0, {2, 2});
  const ValueId used = g.apply(kAdd, {x, x});
  g.apply(kAdd, {used, used});  // nobody reads it
  const ValueId result = g.apply(kAdd, {used, x});
  g.place(result, out, 0);
  EXPECT_THAT(g.live_operations(), ::testing::ElementsAre(used, result));
  EXPECT_EQ(g.flops(), 8U);
}

TEST(Graph, an_operation_alone_has_its_inputs_and_its_result_in_slots) {
  Graph from;
  const SlotId slot = from.add_slot("all", 12, Slot::Access::kReadWrite);
  const ValueId x = from.view(slot, 2, {2, 3});
  const ValueId y = from.apply(kActivation, {x}, {.activation = Activation::kTanh});
  const Graph alone = operation_alone(from, y);
  ASSERT_EQ(alone.slots().size(), 2U);
  EXPECT_EQ(alone.slots()[0].n_elements, 6U);
  const auto live = alone.live_operations();
  ASSERT_EQ(live.size(), 1U);
  EXPECT_EQ(alone.node(live[0]).attributes.activation, Activation::kTanh);
  EXPECT_EQ(alone.node(live[0]).location->slot, SlotId{1});
  const Graph clip = operation_alone(from, from.apply(kClip, {x}, {.number = 1}));
  EXPECT_EQ(clip.slots().size(), 1U);
}

TEST(Graph, tells_what_lies_in_each_slot) {
  Graph g;
  const SlotId slot = g.add_slot("s", 12, Slot::Access::kReadWrite);
  const ValueId x = g.view(slot, 2, {2, 3});
  const ValueId part = g.slice(x, 3, {3});
  const auto views = g.slot_views();
  ASSERT_EQ(views.size(), 1U);
  ASSERT_EQ(views[0].size(), 2U);
  EXPECT_EQ(views[0][0].offset, 2U);
  EXPECT_EQ(views[0][1].node, part.index);
  EXPECT_EQ(views[0][1].offset, 5U);
  EXPECT_NO_THROW(check_size(g.slots()[0], 12));
  EXPECT_THROW(check_size(g.slots()[0], 11), InternalError);
}

}  // namespace
}  // namespace lipizz::nn::graph_test
