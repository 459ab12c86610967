#include "nn/base/loss.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "core/error.hpp"
#include "nn/loss_conformance.hpp"

namespace lipizz::nn::loss_test {
namespace {

double d(double logit) {
  return 1 / (1 + std::exp(-logit));
}

const Loss& loss(std::string_view name) {
  return losses()[find_loss(name)];
}

// A loss as its paper writes it, as functions of the logit; d() is the probability.
struct Formulas {
  using Function = double (*)(double logit);
  Function generator;
  Function real;
  Function fake;
};

double minus_log_d(double l) {
  return -std::log(d(l));
}
double minus_log_not_d(double l) {
  return -std::log(1 - d(l));
}
double half_minus_log_d(double l) {
  return minus_log_d(l) / 2;
}
double half_minus_log_not_d(double l) {
  return minus_log_not_d(l) / 2;
}

const std::map<std::string_view, Formulas> kFormulas{
    {"bce", {minus_log_d, minus_log_d, minus_log_not_d}},
    {"minimax",
     {[](double l) { return std::log(1 - d(l)) / 2; }, half_minus_log_d, half_minus_log_not_d}},
    {"heuristic", {half_minus_log_d, half_minus_log_d, half_minus_log_not_d}},
    {"mse",
     {[](double l) { return std::pow(d(l) - 1, 2); },
      [](double l) { return std::pow(d(l) - 1, 2); }, [](double l) { return std::pow(d(l), 2); }}},
    {"lsgan",
     {[](double l) { return std::pow(l - 1, 2) / 2; },
      [](double l) { return std::pow(l - 1, 2) / 2; },
      [](double l) { return std::pow(l, 2) / 2; }}},
    {"hinge",
     {[](double l) { return -l; }, [](double l) { return std::max(0.0, 1 - l); },
      [](double l) { return std::max(0.0, 1 + l); }}},
    {"wasserstein",
     {[](double l) { return -l; }, [](double l) { return -l; }, [](double l) { return l; }}},
    {"pix2pix", {minus_log_d, half_minus_log_d, half_minus_log_not_d}},
    {"relativistic", {minus_log_d, minus_log_d, [](double) { return 0.0; }}},
};

TEST(Losses, equal_their_formulas) {
  for (const Loss& each : losses()) {
    const auto found = kFormulas.find(each.name);
    ASSERT_NE(found, kFormulas.end()) << each.name << " has no formula in this test";
    for (double l = -4; l <= 4; l += 0.37) {
      EXPECT_NEAR(each.generator.value_f64(l), found->second.generator(l), 1e-12) << each.name;
      EXPECT_NEAR(each.real.value_f64(l), found->second.real(l), 1e-12) << each.name;
      EXPECT_NEAR(each.fake.value_f64(l), found->second.fake(l), 1e-12) << each.name;
    }
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

TEST(Losses, a_misspelt_name) {
  try {
    find_loss("heuristik");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("did you mean \"heuristic\""));
  }
}

}  // namespace
}  // namespace lipizz::nn::loss_test
