#include "nn/cuda/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nn/cuda/host_work.hpp"

// Their results are judged beside the other engines', wherever a test asks for all of them.
namespace lipizz::nn {
namespace {

TEST(DeviceKernels, there_is_one_for_each_operation) {
  const auto table = cuda::kernels<testing::HostWork>();
  for (const Operation* operation : operations()) {
    const auto n =
        std::ranges::count(table, operation, [](const auto& row) { return row.operation; });
    EXPECT_EQ(n, operation == &kPart ? 0 : 1) << operation->name;
  }
}

}  // namespace
}  // namespace lipizz::nn
