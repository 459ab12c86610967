#include "nn/base/half.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace lipizz::nn::half_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The meaning of the bits of fp16 by IEEE 754, in arithmetic.
double number_of_fp16(std::uint32_t bits) {
  const std::uint32_t exponent = (bits >> 10) & 31U;
  const double mantissa = bits & 1023U;
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (exponent == 31) return mantissa == 0 ? sign * double{kInfinity} : std::nan("");
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25);
}

TEST(Half, all_numbers_of_fp16_are_what_their_bits_say_and_keep_them) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const double wanted = number_of_fp16(bits);
    const float found = half_number<Half::kFp16>(bits);
    if (std::isnan(wanted)) {
      EXPECT_TRUE(std::isnan(found)) << bits;
      EXPECT_TRUE(std::isnan(rounded_to<Half::kFp16>(found))) << bits;
      continue;
    }
    ASSERT_EQ(double{found}, wanted) << bits;
    ASSERT_EQ(half_bits<Half::kFp16>(found), bits);
  }
}

// Beside, between and half way between neighbours, over all of the range.
TEST(Half, fp16_rounds_to_the_nearest_and_half_way_to_the_even_one) {
  for (std::uint32_t bits = 0; bits < 0x7bffU; ++bits) {
    const float low = half_number<Half::kFp16>(bits);
    const float high = half_number<Half::kFp16>(bits + 1);
    const float middle = low + (high - low) / 2;
    const float even = bits % 2 == 0 ? low : high;
    ASSERT_EQ(rounded_to<Half::kFp16>(middle), even) << bits;
    ASSERT_EQ(rounded_to<Half::kFp16>(std::nextafter(middle, 0.0F)), low) << bits;
    ASSERT_EQ(rounded_to<Half::kFp16>(-std::nextafter(middle, kInfinity)), -high) << bits;
  }
}

TEST(Half, fp16_has_an_end_above_and_below) {
  EXPECT_EQ(rounded_to<Half::kFp16>(65519.0F), 65504.0F);
  EXPECT_EQ(rounded_to<Half::kFp16>(65520.0F), kInfinity);
  EXPECT_EQ(rounded_to<Half::kFp16>(-1e30F), -kInfinity);
  EXPECT_EQ(rounded_to<Half::kFp16>(std::ldexp(1.0F, -25)), 0.0F);
  EXPECT_EQ(rounded_to<Half::kFp16>(std::ldexp(1.1F, -25)), std::ldexp(1.0F, -24));
  EXPECT_TRUE(std::signbit(rounded_to<Half::kFp16>(-1e-30F)));
}

TEST(Half, bf16_is_the_first_half_of_a_float) {
  for (const float number : {1.0F, -2.5F, 0.3F, 1e30F, 0x1p-120F}) {
    const float rounded = rounded_to<Half::kBf16>(number);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(rounded) & 0xffffU, 0U) << number;
    EXPECT_LE(std::abs(rounded / number - 1), 1.0F / 256) << number;
  }
  EXPECT_EQ(rounded_to<Half::kBf16>(kInfinity), kInfinity);
  EXPECT_EQ(rounded_to<Half::kBf16>(0.0F), 0.0F);
  EXPECT_EQ(rounded_to<Half::kBf16>(1 + 0x1p-8F), 1.0F) << "half way, to the even one";
  EXPECT_EQ(rounded_to<Half::kBf16>(1 + 0x3p-8F), 1 + 0x1p-6F) << "half way, to the even one";
  EXPECT_TRUE(std::isnan(rounded_to<Half::kBf16>(std::bit_cast<float>(0x7f800001U))));
}

}  // namespace
}  // namespace lipizz::nn::half_test
