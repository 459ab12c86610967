#include "nn/graph/memory_plan.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "nn/graph/operations.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn::memory_plan_test {
namespace {

// But for a result in place of an input.
TEST(MemoryPlan, values_alive_at_the_same_time_never_overlap) {
  const Graph graph = discriminator_step_graph(make_model("mlp"), {}, 10).graph;
  const MemoryPlan plan = plan_memory(graph, 16);
  const auto live = graph.live_operations();
  std::vector<std::uint32_t> last(graph.nodes().size(), 0);
  for (const ValueId v : live) {
    for (const ValueId input : graph.node(v).inputs) last[input.index] = v.index;
  }
  int compared = 0;
  for (const ValueId a : live) {
    for (const ValueId b : live) {
      if (a >= b || plan.offsets[a.index] == MemoryPlan::kNowhere ||
          plan.offsets[b.index] == MemoryPlan::kNowhere || last[a.index] < b.index ||
          (last[a.index] == b.index && plan.offsets[a.index] == plan.offsets[b.index])) {
        continue;
      }
      const std::size_t end_a = plan.offsets[a.index] + n_elements(graph.shape(a));
      const std::size_t end_b = plan.offsets[b.index] + n_elements(graph.shape(b));
      EXPECT_TRUE(end_a <= plan.offsets[b.index] || end_b <= plan.offsets[a.index]);
      EXPECT_LE(std::max(end_a, end_b), plan.n_elements);
      EXPECT_EQ(plan.offsets[a.index] % 16, 0U);
      ++compared;
    }
  }
  EXPECT_GT(compared, 5);
}

std::size_t n_elements_of_a_chain(const Operation& operation) {
  Graph g;
  const SlotId in = g.add_slot("in", 64, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 64, Slot::Access::kReadWrite);
  ValueId x = g.view(in, 0, {8, 8});
  for (int i = 0; i < 10; ++i) x = g.apply(operation, {x, x});
  g.place(g.apply(operation, {x, x}), out, 0);
  return plan_memory(g, 16).n_elements;
}

TEST(MemoryPlan, a_chain_needs_room_for_two_values_or_in_place_for_one) {
  EXPECT_EQ(n_elements_of_a_chain(kMatmul), 2U * 64);
  EXPECT_EQ(n_elements_of_a_chain(kAdd), 64U);
}

// Values in a plan's own memory: y is read twice, its gradient once.
TEST(MemoryPlan, a_result_lies_on_an_input_that_is_read_for_the_last_time) {
  Graph g;
  const SlotId in = g.add_slot("in", 64, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 128, Slot::Access::kReadWrite);
  const ValueId x = g.view(in, 0, {8, 8});
  const ValueId y = g.apply(kActivation, {x}, {.activation = Activation::kTanh});
  const ValueId dy = g.apply(kMatmul, {y, y});
  const ValueId dx = g.apply(kActivationGradient, {dy, y}, {.activation = Activation::kTanh});
  g.place(g.apply(kMatmul, {dx, y}), out, 0);
  g.place(g.apply(kMatmul, {dx, dx}), out, 64);
  const MemoryPlan plan = plan_memory(g, 16);
  EXPECT_EQ(plan.offsets[dx.index], plan.offsets[dy.index]);
  EXPECT_NE(plan.offsets[dy.index], plan.offsets[y.index]) << "a product is not in place";
  EXPECT_EQ(plan.n_elements, 2U * 64);
}

TEST(MemoryPlan, a_result_does_not_lie_on_a_part_of_an_input) {
  Graph g;
  const SlotId in = g.add_slot("in", 64, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 32, Slot::Access::kReadWrite);
  const ValueId x = g.view(in, 0, {8, 8});
  const ValueId y = g.apply(kActivation, {x}, {.activation = Activation::kTanh});
  const ValueId half = g.slice(y, 32, {4, 8});
  const ValueId sum = g.apply(kAdd, {g.slice(y, 0, {4, 8}), half});
  g.place(g.apply(kAdd, {sum, half}), out, 0);
  EXPECT_EQ(plan_memory(g, 16).n_elements, 64U + 32U);
}

// The trunk's first value is read by the first branch alone, the second one by both: neither may
// be overwritten by the other, nor by a branch, though each is no longer needed in the order in
// which they were appended.
TEST(MemoryPlan, what_branches_read_of_the_trunk_stays_until_they_are_joined) {
  Graph g;
  const SlotId in = g.add_slot("in", 16, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 32, Slot::Access::kReadWrite);
  const ValueId x = g.view(in, 0, {16, 1});
  const ValueId first = g.apply(kAdd, {x, x});
  g.set_branch(1);
  const ValueId of_first = g.apply(kAdd, {first, first});
  g.place(g.apply(kAdd, {of_first, of_first}), out, 0);
  g.set_branch(Graph::kTrunk);
  const ValueId second = g.apply(kAdd, {x, x});
  g.set_branch(2);
  const ValueId of_second = g.apply(kAdd, {second, second});
  g.place(g.apply(kAdd, {of_second, second}), out, 16);
  EXPECT_EQ(g.n_branches(), 2U);

  const MemoryPlan one_by_one = plan_memory(g, 1);
  EXPECT_EQ(one_by_one.offsets[second.index], one_by_one.offsets[first.index]);
  const MemoryPlan trunk = plan_memory_of(g, Graph::kTrunk, 1);
  EXPECT_EQ(trunk.n_elements, 32U);
  EXPECT_NE(trunk.offsets[second.index], trunk.offsets[first.index]);
  EXPECT_EQ(trunk.offsets[of_first.index], MemoryPlan::kNowhere);
  for (const std::uint32_t branch : {1U, 2U}) {
    EXPECT_EQ(plan_memory_of(g, branch, 1).n_elements, 16U);
    EXPECT_EQ(plan_memory_of(g, branch, 1).offsets[first.index], MemoryPlan::kNowhere);
  }
}

TEST(MemoryPlan, what_leaves_a_branch_lies_in_a_slot) {
  Graph g;
  const SlotId in = g.add_slot("in", 4, Slot::Access::kRead);
  const SlotId out = g.add_slot("out", 4, Slot::Access::kReadWrite);
  const ValueId x = g.view(in, 0, {4, 1});
  g.set_branch(1);
  const ValueId y = g.apply(kAdd, {x, x});
  g.set_branch(Graph::kAfterJoin);
  g.place(g.apply(kAdd, {y, y}), out, 0);
  EXPECT_THROW(plan_memory_of(g, Graph::kTrunk, 1), InternalError);
}

}  // namespace
}  // namespace lipizz::nn::memory_plan_test
