#include "core/math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lipizz::math_test {
namespace {

// Distance from the true value in units of the last place of the float nearest to it.
double ulps(float value, double truth) {
  const float nearest = static_cast<float>(truth);
  const float up = std::nextafter(std::abs(nearest), std::numeric_limits<float>::infinity());
  return std::abs(value - truth) / (static_cast<double>(up) - std::abs(nearest));
}

TEST(Math, exp_is_within_two_ulps) {
  for (float x = -87.0f; x < 87.9f; x += 0.0137f)
    EXPECT_LT(ulps(math::exp(x), std::exp(double{x})), 2) << x;
  EXPECT_EQ(math::exp(-1000.0f), 0.0f);
  EXPECT_TRUE(std::isfinite(math::exp(1000.0f)));
  EXPECT_TRUE(std::isnan(math::exp(NAN)));
}

TEST(Math, log_is_within_two_ulps) {
  for (double x = 1e-37; x < 1e37; x *= 1.013) {
    const float f = static_cast<float>(x);
    EXPECT_LT(std::abs(math::log(f) - std::log(double{f})),
              2 * 6e-8 * std::max(1.0, std::abs(std::log(double{f}))))
        << x;
  }
  EXPECT_EQ(math::log(0.0f), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(math::log(-1.0f)));
}

TEST(Math, sigmoid_tanh_and_softplus_follow_the_double_functions) {
  for (float x = -40.0f; x < 40.0f; x += 0.0173f) {
    EXPECT_LT(ulps(math::sigmoid(x), math::sigmoid(double{x})), 4) << x;
    EXPECT_LT(ulps(math::tanh(x), std::tanh(double{x})), 4) << x;
    EXPECT_NEAR(math::softplus(x), math::softplus(double{x}), 3e-7 + 1e-7 * std::abs(x)) << x;
  }
  EXPECT_TRUE(std::isnan(math::softplus(NAN)));
  EXPECT_TRUE(std::isnan(math::sigmoid(NAN)));
  EXPECT_TRUE(std::isnan(math::tanh(NAN)));
}

TEST(Math, portable_exp_and_log_are_within_four_ulps) {
  constexpr double kUlps = 4 * 0x1p-53;
  for (double x = -707; x < 709; x += 0.00731) {
    EXPECT_NEAR(math::portable_exp(x) / std::exp(x), 1, 2 * kUlps) << x;
  }
  for (double x = 1e-300; x < 1e300; x *= 1.0131) {
    const double truth = std::log(x);
    EXPECT_NEAR(math::portable_log(x), truth, kUlps * std::max(1.0, std::abs(truth))) << x;
  }
  EXPECT_EQ(math::portable_log(1), 0);
  EXPECT_EQ(math::portable_exp(0), 1);
  EXPECT_EQ(math::portable_log(0), -INFINITY);
  EXPECT_EQ(math::portable_log(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(math::portable_log(-1)));
  EXPECT_TRUE(std::isnan(math::portable_log(NAN)));
  EXPECT_EQ(math::portable_exp(-1000), 0);
  EXPECT_TRUE(std::isnan(math::portable_exp(NAN)));
}

TEST(Math, sincos_of_turns) {
  for (int i = 0; i < 1 << 12; ++i) {
    const float u = static_cast<float>(i) / (1 << 12);
    const math::SinCos s = math::sincos_turns(u);
    EXPECT_NEAR(s.sin, std::sin(2 * M_PI * u), 2e-7) << u;
    EXPECT_NEAR(s.cos, std::cos(2 * M_PI * u), 2e-7) << u;
  }
}

}  // namespace
}  // namespace lipizz::math_test
