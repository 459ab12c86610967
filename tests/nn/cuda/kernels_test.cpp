#include "nn/cuda/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nn/cuda/host_work.hpp"

// Their results are tested beside the other engines', wherever a test asks for all of them.
namespace lipizz::nn::kernels_test {
namespace {

TEST(DeviceKernels, there_is_one_for_each_operation) {
  const auto table = cuda::kernels<testing::HostWork>();
  for (const Operation* operation : operations()) {
    const auto n =
        std::ranges::count(table, operation, [](const auto& row) { return row.operation; });
    const bool has_none = operation == &kSlice || operation->is_collective;
    EXPECT_EQ(n, has_none ? 0 : 1) << operation->name;
  }
}

TEST(DeviceTask, knows_where_values_begin_in_their_slots) {
  Graph g;
  const SlotId slot = g.add_slot("s", 20, Slot::Access::kReadWrite);
  const ValueId x = g.view(slot, 4, {2, 6});
  const ValueId odd = g.slice(x, 6, {6});
  const ValueId even = g.slice(x, 8, {4});
  const ValueId own = g.apply(kActivation, {odd}, {.activation = Activation::kTanh});
  const cuda::Task task(g, own);
  EXPECT_TRUE(task.begins_at_multiple_of(4, x));
  EXPECT_FALSE(task.begins_at_multiple_of(4, odd));
  EXPECT_TRUE(task.begins_at_multiple_of(2, odd));
  EXPECT_TRUE(task.begins_at_multiple_of(4, even));
  EXPECT_TRUE(task.begins_at_multiple_of(4, own));
}

}  // namespace
}  // namespace lipizz::nn::kernels_test
