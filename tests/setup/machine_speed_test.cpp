#include "setup/machine_speed.hpp"

#include <gtest/gtest.h>

#include "nn/exec/host_device.hpp"

namespace lipizz::setup::machine_speed_test {
namespace {

TEST(MachineSpeed, is_measured) {
  nn::HostDevice device({nn::Backend::kReference, nn::NumericsLevel::kBaseline});
  const MachineSpeed speed = measure_machine(device);
  EXPECT_GT(speed.peak_flops_per_s, 1e8);
  EXPECT_GT(speed.product_flops_per_s, 1e7);
  EXPECT_GT(speed.bytes_per_s, 1e7);
}

}  // namespace
}  // namespace lipizz::setup::machine_speed_test
