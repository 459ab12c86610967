#include "nn/graph/operation_cost.hpp"

#include <gtest/gtest.h>

#include "nn/graph/operations.hpp"

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

}  // namespace
}  // namespace lipizz::nn::operation_cost_test
