#include "nn/base/loss.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "nn/loss_conformance.hpp"

namespace lipizz::nn {
namespace {

double d(double logit) {
  return 1 / (1 + std::exp(-logit));
}

const Loss& loss(std::string_view name) {
  return losses()[find_loss(name)];
}

// The formulas as the papers write them, in probabilities.
TEST(Losses, equal_their_formulas) {
  for (double l = -4; l <= 4; l += 0.37) {
    EXPECT_NEAR(loss("bce").generator.value_f64(l), -std::log(d(l)), 1e-12);
    EXPECT_NEAR(loss("bce").real.value_f64(l), -std::log(d(l)), 1e-12);
    EXPECT_NEAR(loss("bce").fake.value_f64(l), -std::log(1 - d(l)), 1e-12);
    EXPECT_NEAR(loss("minimax").generator.value_f64(l), 0.5 * std::log(1 - d(l)), 1e-12);
    EXPECT_NEAR(loss("heuristic").generator.value_f64(l), -0.5 * std::log(d(l)), 1e-12);
    EXPECT_NEAR(loss("mse").generator.value_f64(l), std::pow(d(l) - 1, 2), 1e-12);
    EXPECT_NEAR(loss("mse").real.value_f64(l), std::pow(d(l) - 1, 2), 1e-12);
    EXPECT_NEAR(loss("mse").fake.value_f64(l), std::pow(d(l), 2), 1e-12);
    EXPECT_NEAR(loss("lsgan").generator.value_f64(l), 0.5 * std::pow(l - 1, 2), 1e-12);
    EXPECT_NEAR(loss("lsgan").real.value_f64(l), 0.5 * std::pow(l - 1, 2), 1e-12);
    EXPECT_NEAR(loss("lsgan").fake.value_f64(l), 0.5 * std::pow(l, 2), 1e-12);
    EXPECT_NEAR(loss("hinge").generator.value_f64(l), -l, 1e-12);
    EXPECT_NEAR(loss("hinge").real.value_f64(l), std::max(0.0, 1 - l), 1e-12);
    EXPECT_NEAR(loss("hinge").fake.value_f64(l), std::max(0.0, 1 + l), 1e-12);
    EXPECT_NEAR(loss("wasserstein").generator.value_f64(l), -l, 1e-12);
    EXPECT_NEAR(loss("wasserstein").real.value_f64(l), -l, 1e-12);
    EXPECT_NEAR(loss("wasserstein").fake.value_f64(l), l, 1e-12);
    EXPECT_NEAR(loss("pix2pix").generator.value_f64(l), -std::log(d(l)), 1e-12);
    EXPECT_NEAR(loss("pix2pix").real.value_f64(l), -0.5 * std::log(d(l)), 1e-12);
    EXPECT_NEAR(loss("pix2pix").fake.value_f64(l), -0.5 * std::log(1 - d(l)), 1e-12);
  }
}

TEST(Losses, conform) {
  for (const Loss& each : losses()) testing::expect_conformance(each);
}

// Mustangs' published code draws from three names of which two differ by a factor; ours differ in
// shape: no generator loss is an affine function of another.
TEST(Losses, the_three_of_mustangs_are_three) {
  const std::vector<std::string_view> names{"minimax", "heuristic", "mse"};
  for (const auto a : names) {
    for (const auto b : names) {
      if (a == b) continue;
      const double ratio_low = loss(a).generator.slope_f64(-3) / loss(b).generator.slope_f64(-3);
      const double ratio_high = loss(a).generator.slope_f64(1) / loss(b).generator.slope_f64(1);
      EXPECT_GT(std::abs(ratio_low / ratio_high - 1), 0.5) << a << " " << b;
    }
  }
}

TEST(Losses, batch_means_and_a_misspelt_name) {
  const std::vector<float> real{0.5f, -1};
  const std::vector<float> fake{2, 0, 1};
  const Loss& bce = loss("bce");
  EXPECT_NEAR(discriminator_loss(find_loss("bce"), real, fake),
              (bce.real.value(0.5f) + bce.real.value(-1)) / 2 +
                  (bce.fake.value(2) + bce.fake.value(0) + bce.fake.value(1)) / 3,
              1e-7);
  EXPECT_NEAR(generator_loss(find_loss("bce"), real),
              (bce.generator.value(0.5f) + bce.generator.value(-1)) / 2, 1e-7);
  try {
    find_loss("heuristik");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("did you mean \"heuristic\""));
  }
}

}  // namespace
}  // namespace lipizz::nn
