#include "nn/base/mixed_precision.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/error.hpp"

namespace lipizz::nn::mixed_precision_test {
namespace {

// The scale after each of these updates (true: its gradient was finite).
std::vector<float> scales_after(float first, float interval, const std::vector<bool>& are_finite) {
  float state[LossScale::kSize] = {first, 1 / first, 0, 0};
  std::vector<float> scales;
  for (const bool is_finite : are_finite) {
    LossScale::advance(state, is_finite, interval);
    EXPECT_EQ(state[LossScale::kInverse], 1 / state[LossScale::kScale]);
    scales.push_back(state[LossScale::kScale]);
  }
  return scales;
}

// The sequences of DeepSpeed's tests of its dynamic loss scale, with an interval of two.
TEST(LossScale, amp2_doubles_after_an_interval_without_overflow) {
  EXPECT_EQ(scales_after(256, 2, std::vector<bool>(10, true)),
            (std::vector<float>{256, 256, 512, 512, 1024, 1024, 2048, 2048, 4096, 4096}));
}

TEST(LossScale, amp2_is_halved_down_to_one_by_nothing_but_overflow) {
  EXPECT_EQ(scales_after(16, 2, std::vector<bool>(8, false)),
            (std::vector<float>{8, 4, 2, 1, 1, 1, 1, 1}));
}

TEST(LossScale, amp2_begins_to_count_anew_after_an_overflow) {
  EXPECT_EQ(scales_after(256, 2, {false, false, true, true, true, false}),
            (std::vector<float>{128, 64, 64, 64, 128, 64}));
}

TEST(LossScale, that_is_fixed_stays_and_counts_what_is_left_out) {
  float state[LossScale::kSize] = {8, 0.125F, 0, 0};
  for (const bool is_finite : {true, false, false, true})
    LossScale::advance(state, is_finite, 0.0F);
  EXPECT_EQ(state[LossScale::kScale], 8);
  EXPECT_EQ(state[LossScale::kSkipped], 2);
}

TEST(LossScale, does_not_grow_beyond_what_its_inverse_is_exact_for) {
  float state[LossScale::kSize] = {LossScale::kMost, 1 / LossScale::kMost, 1, 0};
  LossScale::advance(state, true, 1.0F);
  EXPECT_EQ(state[LossScale::kScale], LossScale::kMost);
}

TEST(MixedPrecision, scales_the_losses_of_fp16_alone) {
  EXPECT_TRUE((MixedPrecision{Half::kFp16}.is_dynamic()));
  EXPECT_FALSE((MixedPrecision{Half::kFp16, 128}.is_dynamic()));
  EXPECT_TRUE((MixedPrecision{Half::kFp16, 128}.scales_losses()));
  EXPECT_FALSE((MixedPrecision{Half::kBf16}.scales_losses()));
  EXPECT_FALSE(MixedPrecision().scales_losses());
}

TEST(MixedPrecision, has_names) {
  EXPECT_EQ(parse_value_format("none"), std::nullopt);
  EXPECT_EQ(parse_value_format("fp16"), Half::kFp16);
  EXPECT_EQ(parse_value_format("bf16"), Half::kBf16);
  EXPECT_THROW(parse_value_format("fp8"), ConfigError);
}

}  // namespace
}  // namespace lipizz::nn::mixed_precision_test
