#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "nn/base/loss.hpp"

/// The requirements on every loss.
namespace lipizz::nn::testing {

inline void expect_true_slopes(const Loss::Term& term) {
  for (double l = -6; l <= 6; l += 0.41) {
    const double numeric = (term.value_f64(l + 1e-6) - term.value_f64(l - 1e-6)) / 2e-6;
    EXPECT_NEAR(term.slope_f64(l), numeric, 1e-8);
    const auto f = static_cast<float>(l);
    EXPECT_NEAR(term.value(f), term.value_f64(f), 1e-6);
    EXPECT_NEAR(term.slope(f), term.slope_f64(f), 1e-6);
  }
}

/// Where the sigmoid saturates, too.
inline void expect_finite(const Loss::Term& term) {
  for (const float l : {-1e4f, -200.0f, 200.0f, 1e4f}) {
    EXPECT_TRUE(std::isfinite(term.value(l))) << l;
    EXPECT_TRUE(std::isfinite(term.slope(l))) << l;
  }
}

/// All of the above.
inline void expect_conformance(const Loss& loss) {
  SCOPED_TRACE(loss.name);
  EXPECT_FALSE(loss.summary.empty());
  for (const Loss::Term& term : {loss.generator, loss.real, loss.fake}) {
    expect_true_slopes(term);
    expect_finite(term);
  }
}

}  // namespace lipizz::nn::testing
