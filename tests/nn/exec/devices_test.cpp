#include "nn/exec/devices.hpp"

#include <gmock/gmock.h>

#include "core/error.hpp"
#include "nn/cpu/numerics.hpp"

namespace lipizz::nn::devices_test {
namespace {

using ::testing::HasSubstr;

std::string complaint(std::string_view name) {
  try {
    open_device(name, {});
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(Devices, the_processor_is_always_there) {
  const auto device = open_device("cpu", {});
  EXPECT_EQ(device->name(), "cpu");
  EXPECT_TRUE(device->is_host());
}

TEST(Devices, the_processor_knows_single_precision_and_perhaps_bf16) {
  EXPECT_THROW(open_device("cpu", {}, Precision::kBf16), ConfigError) << "the reference";
  const Engine fast = fastest_engine(Precision::kBf16);
  if (has_bf16(fast.level)) {
    EXPECT_NO_THROW(open_device("cpu", fast, Precision::kBf16));
  } else {
    EXPECT_THROW(open_device("cpu", fast, Precision::kBf16), ConfigError);
  }
  EXPECT_NO_THROW(check_precision("cpu", Precision::kBf16));
  EXPECT_THROW(check_precision("cuda+cpu", Precision::kBf16), ConfigError);
  for (const auto device : {"cpu", "cuda+cpu"}) {
    EXPECT_NO_THROW(check_precision(device, Precision::kF32));
    EXPECT_THROW(check_precision(device, Precision::kTf32), ConfigError);
  }
  EXPECT_NO_THROW(check_precision("cuda:1", Precision::kBf16));
}

TEST(Devices, a_gpu_is_there_or_what_is_missing_is_said) {
  if (count_gpus() > 0) {
    EXPECT_EQ(why_no_gpu(), "");
    EXPECT_EQ(open_device("cuda", {})->name(), "cuda:0");
    EXPECT_THAT(complaint("cuda:999"), HasSubstr("cuda:999"));
  } else {
    EXPECT_NE(why_no_gpu(), "");
    EXPECT_THAT(complaint("cuda"), HasSubstr("device cuda"));
    EXPECT_THAT(complaint("cuda:1"), HasSubstr(why_no_gpu()));
  }
}

TEST(Devices, are_counted_from_zero) {
  EXPECT_EQ(cuda_index("cuda"), 0);
  EXPECT_EQ(cuda_index("cuda:12"), 12);
}

TEST(Devices, misnamed_are_refused_before_any_is_looked_for) {
  for (const auto name : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "", "cuda:99999999999"}) {
    EXPECT_THAT(complaint(name), HasSubstr("expected cpu")) << name;
  }
}

}  // namespace
}  // namespace lipizz::nn::devices_test
