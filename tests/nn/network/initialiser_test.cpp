#include "nn/network/initialiser.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"

namespace lipizz::nn::initialiser_test {
namespace {

ParameterBlock weight(std::uint32_t n_in, std::uint32_t n_out) {
  return {"0.weight", 32, {n_in, n_out}, Role::kWeight, n_in, n_out};
}

std::vector<float> filled(std::string_view name, const ParameterBlock& block,
                          std::uint64_t seed = 1) {
  std::vector<float> tensor(n_elements(block.shape), 7.0f);
  find_initialiser(name).fill(block, Random(seed, Purpose::kTest), tensor);
  return tensor;
}

struct Moments {
  double mean = 0;
  double deviation = 0;
  double largest = 0;
};

Moments moments_of(const std::vector<float>& values) {
  Moments m;
  const auto n = static_cast<double>(values.size());
  for (const float v : values) {
    m.mean += v / n;
    m.largest = std::max(m.largest, std::abs(double{v}));
  }
  for (const float v : values) m.deviation += (v - m.mean) * (v - m.mean) / n;
  m.deviation = std::sqrt(m.deviation);
  return m;
}

TEST(Initialisers, draw_weights_of_their_mean_and_deviation) {
  const struct {
    const char* name;
    double deviation;
    double bound;  // 0: none
  } expected[] = {{"uniform", 1 / std::sqrt(3 * 300.0), 1 / std::sqrt(300.0)},
                  {"normal-0.02", 0.02, 0},
                  {"glorot-uniform", std::sqrt(2 / 500.0), std::sqrt(6 / 500.0)},
                  {"glorot-normal", std::sqrt(2 / 500.0), 0},
                  {"he-uniform", std::sqrt(2 / 300.0), std::sqrt(6 / 300.0)},
                  {"he-normal", std::sqrt(2 / 300.0), 0},
                  {"orthogonal", 1 / std::sqrt(300.0), 0},
                  {"zeros", 0, 0}};
  EXPECT_EQ(std::size(expected), initialisers().size());
  for (const auto& [name, deviation, bound] : expected) {
    const Moments m = moments_of(filled(name, weight(300, 200)));
    EXPECT_NEAR(m.mean, 0, 4 * deviation / std::sqrt(60000.0)) << name;
    EXPECT_NEAR(m.deviation, deviation, 0.02 * deviation) << name;
    if (bound > 0) {
      EXPECT_LE(m.largest, bound) << name;
    }
  }
}

TEST(Initialisers, make_scales_and_variances_one_and_the_rest_zero) {
  for (const Initialiser* initialiser : initialisers()) {
    const auto constant = [&](Role role) {
      return moments_of(filled(initialiser->name, {"0.x", 0, {1000}, role, 1000, 1000}));
    };
    const double scale_deviation = initialiser == &kNormal02 ? 0.02 : 0;
    EXPECT_NEAR(constant(Role::kScale).mean, 1, 0.002) << initialiser->name;
    EXPECT_NEAR(constant(Role::kScale).deviation, scale_deviation, 0.002) << initialiser->name;
    EXPECT_EQ(constant(Role::kVariance).largest, 1) << initialiser->name;
    EXPECT_NEAR(constant(Role::kVariance).deviation, 0, 1e-9) << initialiser->name;
    EXPECT_EQ(constant(Role::kMean).largest, 0) << initialiser->name;
    EXPECT_EQ(constant(Role::kShift).largest, 0) << initialiser->name;
    EXPECT_EQ(constant(Role::kBias).largest > 0, initialiser == &kUniform) << initialiser->name;
  }
}

// W^T W = I for the fewer side, of convolutions, too.
TEST(Initialisers, orthogonal_is_orthonormal) {
  for (const Shape& shape : {Shape{40, 24}, Shape{24, 40}, Shape{3, 3, 4, 20}}) {
    const std::uint32_t n_out = shape.back();
    const auto n_in = static_cast<std::uint32_t>(n_elements(shape) / n_out);
    const std::vector<float> w =
        filled("orthogonal", {"0.weight", 0, shape, Role::kWeight, n_in, n_out});
    const bool by_columns = n_out <= n_in;
    const std::uint32_t n = std::min(n_in, n_out);
    const auto at = [&](std::uint32_t vector, std::uint32_t i) {
      return double{by_columns ? w[i * n_out + vector] : w[vector * n_out + i]};
    };
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = 0; b < n; ++b) {
        double product = 0;
        for (std::uint32_t i = 0; i < std::max(n_in, n_out); ++i) product += at(a, i) * at(b, i);
        EXPECT_NEAR(product, a == b ? 1 : 0, 1e-5);
      }
    }
  }
}

TEST(Initialisers, draw_other_numbers_for_other_seeds_and_places) {
  EXPECT_NE(filled("he-normal", weight(8, 8), 1), filled("he-normal", weight(8, 8), 2));
  ParameterBlock elsewhere = weight(8, 8);
  elsewhere.offset += 64;
  EXPECT_NE(filled("he-normal", weight(8, 8)), filled("he-normal", elsewhere));
  EXPECT_THROW(find_initialiser("he"), ConfigError);
}

}  // namespace
}  // namespace lipizz::nn::initialiser_test
