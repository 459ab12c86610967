#include "nn/cpu/bf16.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace lipizz::nn::bf16_test {
namespace {

std::vector<Bf16> rounded(const std::vector<float>& x) {
  std::vector<Bf16> found(x.size());
  round_to_bf16(x.data(), found.data(), x.size());
  return found;
}

// 1 + 2^-7 is the next number after 1.
TEST(Bf16, is_the_nearest_and_of_two_the_even_one) {
  const float step = std::ldexp(1.0f, -7);
  EXPECT_EQ(rounded({1, -1, 0, -0.0f}), (std::vector<Bf16>{0x3f80, 0xbf80, 0, 0x8000}));
  EXPECT_EQ(rounded({1 + 0.4f * step, 1 + 0.6f * step}), (std::vector<Bf16>{0x3f80, 0x3f81}));
  EXPECT_EQ(rounded({1 + 0.5f * step, 1 + 1.5f * step}), (std::vector<Bf16>{0x3f80, 0x3f82}));
}

TEST(Bf16, keeps_what_is_no_finite_number) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(rounded({kInfinity, -kInfinity}), (std::vector<Bf16>{0x7f80, 0xff80}));
  EXPECT_EQ(rounded({std::numeric_limits<float>::max()}), (std::vector<Bf16>{0x7f80}));
  for (const float nan :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::signaling_NaN()}) {
    const Bf16 found = rounded({nan})[0];
    EXPECT_EQ(found & 0x7f80, 0x7f80);
    EXPECT_NE(found & 0x7f, 0) << "a NaN, not an infinity";
  }
}

// As products in bf16 take them.
TEST(Bf16, denormal_numbers_are_zero) {
  const float least = std::numeric_limits<float>::min();
  const std::vector<float> some{least, -least, 0.99f * least, -0.99f * least};
  std::vector<float> many;
  for (int i = 0; i < 16; ++i) many.insert(many.end(), some.begin(), some.end());
  std::vector<Bf16> expected;
  for (int i = 0; i < 16; ++i) expected.insert(expected.end(), {0x0080, 0x8080, 0, 0x8000});
  EXPECT_EQ(rounded(many), expected);
}

TEST(Bf16, every_length_is_rounded_alike) {
  std::vector<float> x{std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN(),
                       std::numeric_limits<float>::signaling_NaN(),
                       -std::numeric_limits<float>::max(),
                       1e-39f,
                       0};
  for (int i = 0; i < 67; ++i) x.push_back(std::sin(static_cast<float>(i)));
  const std::vector<Bf16> all = rounded(x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(rounded({x[i]})[0], all[i]);
}

TEST(Bf16, blocks_are_large_enough_and_aligned) {
  for (const std::size_t n : {0U, 1U, 31U, 32U, 33U, 1000U}) {
    EXPECT_GE(n_floats_of_bf16(n) * sizeof(float), n * sizeof(Bf16));
    EXPECT_EQ(n_floats_of_bf16(n) % 16, 0U);
  }
}

}  // namespace
}  // namespace lipizz::nn::bf16_test
