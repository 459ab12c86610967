#include "nn/cuda/divisor.hpp"

#include <gtest/gtest.h>

#include <array>

namespace lipizz::nn::cuda::divisor_test {
namespace {

TEST(Divisor, divides_as_the_processor_does) {
  constexpr std::uint32_t kMost = (1U << 31) - 1;
  for (const std::uint32_t d : std::array{1U, 2U, 3U, 5U, 7U, 28U, 64U, 100U, 641U, 65535U, 65536U,
                                          65537U, 1U << 30, kMost - 1, kMost}) {
    const Divisor divisor(d);
    for (const std::uint32_t near : std::array{0U, d, 2 * d, kMost / d * d, kMost / 2, kMost}) {
      for (std::uint32_t i = near - 2; i != near + 3; ++i) {
        if (i > kMost) continue;
        EXPECT_EQ(divisor.quotient(i), i / d) << i << " / " << d;
        EXPECT_EQ(divisor.remainder(i), i % d) << i << " % " << d;
      }
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::cuda::divisor_test
