#include "nn/graph/operation_cost.hpp"

#include <gtest/gtest.h>

#include "nn/base/collectives.hpp"
#include "nn/graph/operations.hpp"
#include "nn/graph/operations/collective.hpp"

namespace lipizz::nn::operation_cost_test {
namespace {

// A product of large matrices has so much to compute that moving them does not count; a sum has
// next to nothing.
TEST(OperationCost, is_that_of_arithmetic_or_of_memory) {
  Graph g;
  const SlotId slot = g.add_slot("x", 1'000'000, Slot::Access::kRead);
  const ValueId x = g.view(slot, 0, {1000, 1000});
  const ValueId product = g.apply(kMatmul, {x, x});
  const ValueId sum = g.apply(kAdd, {x, x});
  EXPECT_EQ(operation_cost(g, product), g.flops(product));
  EXPECT_GT(operation_cost(g, sum), 10 * g.flops(sum));
  EXPECT_LT(operation_cost(g, sum), operation_cost(g, product));
}

TEST(OperationCost, of_a_graph_counts_what_goes_to_other_ranks_and_waits_for_them) {
  NoRanks ranks(4);
  Graph g;
  const SlotId slot = g.add_slot("rows", 200, Slot::Access::kReadWrite);
  const ValueId rows = g.view(slot, 0, {2, 100});
  g.apply(kReduceScatter, {rows}, {.collectives = &ranks});
  EXPECT_EQ(graph_cost(g).sent, 150U) << "three quarters of two rows";
  EXPECT_EQ(graph_cost(g).waits, 1U);
  add_all_gather(g, slot, {0, 100}, {0, 25}, &ranks);
  EXPECT_EQ(graph_cost(g).sent, 150U + 75) << "a quarter, to three ranks";
  EXPECT_EQ(graph_cost(g).waits, 2U);
  g.apply(kSend, {rows}, {.offset = 1, .collectives = &ranks});
  EXPECT_EQ(graph_cost(g).sent, 150U + 75 + 200);
  EXPECT_EQ(graph_cost(g).waits, 2U) << "who sends waits for nobody";
  std::uint64_t operations = 0;
  for (const ValueId each : g.live_operations()) operations += operation_cost(g, each);
  EXPECT_EQ(graph_cost(g).operations, operations);
}

}  // namespace
}  // namespace lipizz::nn::operation_cost_test
