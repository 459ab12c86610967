#include "coev/mutation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace lipizz::coev {
namespace {

constexpr std::uint32_t kDraws = 20'000;
const Random kRandom(3, Purpose::kGeneratorRate, {1}, 2);

struct Moments {
  double mean;
  double deviation;
};

template <class F>
Moments moments_of(F f) {
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

TEST(Mutation, leaves_the_rate_alone_when_there_is_none_or_no_chance) {
  for (const auto kind : {RateMutationKind::kGaussian, RateMutationKind::kLogNormal}) {
    for (std::uint32_t i = 0; i < 100; ++i) {
      EXPECT_EQ(mutate_rate({kind, 0.5, 0, Period::kBatch}, 0.1, 0.1, kRandom, i), 0.1);
    }
  }
  EXPECT_EQ(mutate_rate({RateMutationKind::kNone, 0.5, 1, Period::kBatch}, 0.1, 0.1, kRandom, 0),
            0.1);
}

TEST(Mutation, happens_as_often_as_its_probability) {
  int n = 0;
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    n += mutate_rate({RateMutationKind::kLogNormal, 0.5, 0.3, Period::kBatch}, 1, 1, kRandom, i) !=
         1;
  }
  EXPECT_NEAR(n, 0.3 * kDraws, 4 * std::sqrt(kDraws * 0.3 * 0.7));
}

TEST(Mutation, gaussian_has_the_originals_drift_and_deviation) {
  const RateMutation gaussian{RateMutationKind::kGaussian, 1e-4, 1, Period::kBatch};
  const double rate_0 = 2e-4;
  const auto [mean, deviation] = moments_of(
      [&](std::uint32_t i) { return mutate_rate(gaussian, 5e-4, rate_0, kRandom, i) - 5e-4; });
  const double expected_deviation = 1e-4 * rate_0;
  EXPECT_NEAR(mean, -1e-4 * rate_0 / 10, 4 * expected_deviation / std::sqrt(kDraws));
  EXPECT_NEAR(deviation, expected_deviation, 0.03 * expected_deviation);
}

TEST(Mutation, gaussian_never_goes_below_zero) {
  const RateMutation wild{RateMutationKind::kGaussian, 10, 1, Period::kBatch};
  int n_zero = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const double rate = mutate_rate(wild, 1, 1, kRandom, i);
    EXPECT_GE(rate, 0);
    n_zero += rate == 0;
  }
  EXPECT_NEAR(n_zero, 500, 100);  // 1 - 1 + 10 N(0, 1) is negative half of the time
}

TEST(Mutation, log_normal_is_relative_and_without_drift) {
  const RateMutation relative{RateMutationKind::kLogNormal, 0.2, 1, Period::kGeneration};
  const auto [mean, deviation] = moments_of(
      [&](std::uint32_t i) { return std::log(mutate_rate(relative, 7e-3, 1, kRandom, i) / 7e-3); });
  EXPECT_NEAR(mean, 0, 4 * 0.2 / std::sqrt(kDraws));
  EXPECT_NEAR(deviation, 0.2, 0.03 * 0.2);
}

TEST(Mutation, draws_each_loss_equally_often) {
  const std::vector<nn::LossId> losses{0, 3, 1};
  std::vector<int> counts(4);
  for (std::uint32_t i = 0; i < 3000; ++i) ++counts[draw_loss(losses, kRandom, i)];
  EXPECT_EQ(counts[2], 0);
  for (const nn::LossId loss : losses)
    EXPECT_NEAR(counts[loss], 1000, 4 * std::sqrt(3000 * 2 / 9.0));
}

}  // namespace
}  // namespace lipizz::coev
