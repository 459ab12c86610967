#include "coev/rate_mutation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "coev/operator_conformance.hpp"
#include "coev/rate_mutation/gaussian.hpp"
#include "coev/rate_mutation/log_normal.hpp"
#include "coev/rate_mutation/none.hpp"
#include "coev/rate_mutation/perturb.hpp"

namespace lipizz::coev::rate_mutation_test {
namespace {

constexpr std::uint32_t kDraws = 20'000;
const Random kRandom(3, Purpose::kGeneratorRate, {1}, 2);

double mutate_rate(const Configured<RateMutation>& mutation, double rate, double rate_0,
                   const Random& random, std::uint32_t sample) {
  return mutation->mutate({rate, rate_0, random, sample}, mutation.values());
}

struct MeanAndDeviation {
  double mean;
  double deviation;
};

template <class F>
MeanAndDeviation moments_of(F f) {
  double sum = 0;
  double squares = 0;
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    const double x = f(i);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / kDraws;
  return {mean, std::sqrt(squares / kDraws - mean * mean)};
}

TEST(RateMutation, leaves_the_rate_alone_when_there_is_none_or_no_chance) {
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(mutate_rate({kGaussianRateMutation, {0.5, 0, 0.1}}, 0.1, 0.1, kRandom, i), 0.1);
    EXPECT_EQ(mutate_rate({kLogNormalRateMutation, {0.5, 0}}, 0.1, 0.1, kRandom, i), 0.1);
    EXPECT_EQ(mutate_rate({kPerturbRateMutation, {1.2, 0}}, 0.1, 0.1, kRandom, i), 0.1);
  }
  EXPECT_EQ(mutate_rate(kNoRateMutation, 0.1, 0.1, kRandom, 0), 0.1);
}

TEST(RateMutation, happens_as_often_as_its_probability) {
  int n = 0;
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    n += mutate_rate({kLogNormalRateMutation, {0.5, 0.3}}, 1, 1, kRandom, i) != 1;
  }
  EXPECT_NEAR(n, 0.3 * kDraws, 4 * std::sqrt(kDraws * 0.3 * 0.7));
}

TEST(RateMutation, gaussian_has_the_originals_drift_and_deviation) {
  const Configured<RateMutation> gaussian{kGaussianRateMutation, {1e-4, 1, 0.1}};
  const double rate_0 = 2e-4;
  const auto [mean, deviation] = moments_of(
      [&](std::uint32_t i) { return mutate_rate(gaussian, 5e-4, rate_0, kRandom, i) - 5e-4; });
  const double expected_deviation = 1e-4 * rate_0;
  EXPECT_NEAR(mean, -1e-4 * rate_0 / 10, 4 * expected_deviation / std::sqrt(kDraws));
  EXPECT_NEAR(deviation, expected_deviation, 0.03 * expected_deviation);
}

TEST(RateMutation, gaussian_never_goes_below_zero) {
  const Configured<RateMutation> wild{kGaussianRateMutation, {10, 1, 0.1}};
  int n_zero = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const double rate = mutate_rate(wild, 1, 1, kRandom, i);
    EXPECT_GE(rate, 0);
    n_zero += rate == 0;
  }
  EXPECT_NEAR(n_zero, 500, 100);  // 1 - 1 + 10 N(0, 1) is negative half of the time
}

TEST(RateMutation, log_normal_is_relative_and_without_drift) {
  const Configured<RateMutation> relative{kLogNormalRateMutation, {0.2, 1}};
  const auto [mean, deviation] = moments_of(
      [&](std::uint32_t i) { return std::log(mutate_rate(relative, 7e-3, 1, kRandom, i) / 7e-3); });
  EXPECT_NEAR(mean, 0, 4 * 0.2 / std::sqrt(kDraws));
  EXPECT_NEAR(deviation, 0.2, 0.03 * 0.2);
}

TEST(RateMutation, gaussian_without_a_drift_stays_where_it_is_on_average) {
  const Configured<RateMutation> gaussian{kGaussianRateMutation, {1e-4, 1, 0}};
  const auto mean = moments_of([&](std::uint32_t i) {
                      return mutate_rate(gaussian, 2e-4, 2e-4, kRandom, i) - 2e-4;
                    }).mean;
  EXPECT_NEAR(mean, 0, 4 * 2e-8 / std::sqrt(kDraws));
}

TEST(RateMutation, perturb_multiplies_the_rates_of_copies_as_often_as_it_divides) {
  const std::vector<double> values{1.25, 1};
  int n_up = 0;
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    EXPECT_EQ(kPerturbRateMutation.mutate({1, 1, kRandom, i, false}, values), 1);
    const double rate = kPerturbRateMutation.mutate({1, 1, kRandom, i, true}, values);
    EXPECT_TRUE(rate == 1.25 || rate == 0.8) << rate;
    n_up += rate > 1;
  }
  EXPECT_NEAR(n_up, kDraws / 2.0, 2 * std::sqrt(kDraws));
}

TEST(RateMutation, every_row_conforms) {
  for (const RateMutation* row : rate_mutations()) {
    EXPECT_THAT(testing::broken_properties(*row), ::testing::IsEmpty()) << row->name;
  }
}

TEST(RateMutation, the_suite_finds_each_property_broken) {
  RateMutation spoiled = kNoRateMutation;
  spoiled.mutate = [](const RateMutationInput& input, ParameterValues) {
    static int n_calls = 0;
    return input.rate * (1 + n_calls++ % 7);
  };
  EXPECT_THAT(testing::broken_properties(spoiled), ::testing::Contains("deterministic"));
  spoiled.mutate = [](const RateMutationInput& input, ParameterValues) {
    return input.rate + normal_step(input);
  };
  EXPECT_THAT(testing::broken_properties(spoiled), ::testing::Contains("is a rate"));
}

}  // namespace
}  // namespace lipizz::coev::rate_mutation_test
