#include "coev/mixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace lipizz::coev {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

const Random kRandom(1, Purpose::kMixtureStep, {0}, 1);

TEST(Mixture, starts_with_equal_weights) {
  EXPECT_THAT(equal_mixture(std::vector<CellId>{{3}, {1}, {2}, {0}}).weights,
              ElementsAre(0.25, 0.25, 0.25, 0.25));
}

TEST(Mixture, stays_as_it_is_in_the_same_neighbourhood) {
  const Mixture old{{{0}, {1}}, {0.9, 0.1}};
  EXPECT_EQ(follow(old, old.cells).weights, old.weights);
}

TEST(Mixture, lets_newcomers_enter_with_the_mean_weight) {
  const Mixture old{{{0}, {1}, {2}, {3}}, {0.4, 0.3, 0.2, 0.1}};
  const Mixture now = follow(old, std::vector<CellId>{{0}, {2}, {5}, {6}});
  // 0.4, 0.2 and twice the mean 0.25 sum to 1.1.
  EXPECT_THAT(now.weights, ElementsAre(DoubleEq(0.4 / 1.1), DoubleEq(0.2 / 1.1),
                                       DoubleEq(0.25 / 1.1), DoubleEq(0.25 / 1.1)));
  EXPECT_EQ(now.cells, (std::vector<CellId>{{0}, {2}, {5}, {6}}));
}

TEST(Mixture, is_equal_again_when_only_weightless_members_stay) {
  const Mixture old{{{0}, {1}, {2}}, {0, 1, 0}};
  EXPECT_THAT(follow(old, std::vector<CellId>{{0}, {2}}).weights, ElementsAre(0.5, 0.5));
}

TEST(Mixture, apportions_samples_by_largest_remainder) {
  EXPECT_THAT(apportion(std::vector<double>{0.5, 0.25, 0.25}, 10), ElementsAre(5, 3, 2));
  EXPECT_THAT(apportion(std::vector<double>{0.34, 0.33, 0.33}, 100), ElementsAre(34, 33, 33));
  EXPECT_THAT(apportion(std::vector<double>{0.1, 0.899, 0.001}, 10), ElementsAre(1, 9, 0));
  EXPECT_THAT(apportion(std::vector<double>{1}, 7), ElementsAre(7));
}

TEST(Mixture, apportions_exactly_n_whatever_the_weights) {
  for (std::uint32_t i = 0; i < 200; ++i) {
    std::vector<double> weights(5);
    for (std::uint32_t k = 0; k < 5; ++k) weights[k] = kRandom.uniform(i, k);
    normalise(weights);
    const auto counts = apportion(weights, 1000 + i);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0U), 1000 + i);
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(counts[k], weights[k] * (1000 + i), 1);
  }
}

TEST(Mixture, evolves_towards_what_the_judge_likes) {
  const std::vector<double> best{0.6, 0.3, 0.1};
  const auto distance = [&](std::span<const double> w) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += (w[i] - best[i]) * (w[i] - best[i]);
    return sum;
  };
  std::vector<double> weights{1 / 3.0, 1 / 3.0, 1 / 3.0};
  evolve_weights(weights, 0.05, 400, kRandom, distance);
  EXPECT_THAT(weights, Pointwise(DoubleNear(0.02), best));
  EXPECT_NEAR(weights[0] + weights[1] + weights[2], 1, 1e-12);
}

TEST(Mixture, takes_the_step_that_a_hand_would) {
  const std::vector<double> start{0.5, 0.5};
  const double a = 0.5 + 0.1 * kRandom.normal(0, 0);
  const double b = 0.5 + 0.1 * kRandom.normal(0, 1);
  std::vector<double> weights = start;
  const auto first_is_better = [&](std::span<const double> w) {
    return w[0] == start[0] ? 1.0 : 0.0;
  };
  evolve_weights(weights, 0.1, 1, kRandom, first_is_better);
  EXPECT_THAT(weights, ElementsAre(DoubleEq(a / (a + b)), DoubleEq(b / (a + b))));
}

TEST(Mixture, keeps_its_weights_unless_others_are_strictly_better) {
  const std::vector<double> start{0.2, 0.8};
  for (const double score : {1.0, std::numeric_limits<double>::quiet_NaN()}) {
    std::vector<double> weights = start;
    evolve_weights(weights, 0.1, 50, kRandom, [&](std::span<const double>) { return score; });
    EXPECT_EQ(weights, start);
  }
}

TEST(Mixture, never_weighs_below_zero) {
  std::vector<double> weights{0.5, 0.5};
  evolve_weights(weights, 5, 100, kRandom, [](std::span<const double> w) {
    EXPECT_GE(w[0], 0);
    EXPECT_GE(w[1], 0);
    EXPECT_NEAR(w[0] + w[1], 1, 1e-12);
    return w[0];
  });
  EXPECT_EQ(weights[0], 0);  // clipped, which is as good as this judge finds it
}

TEST(Mixture, hashes_members_and_weights) {
  const auto digest = [](const Mixture& mixture) {
    Hasher hasher;
    hash(hasher, mixture);
    return hasher.digest();
  };
  EXPECT_NE(digest({{{0}, {1}}, {0.5, 0.5}}), digest({{{0}, {2}}, {0.5, 0.5}}));
  EXPECT_NE(digest({{{0}, {1}}, {0.5, 0.5}}), digest({{{0}, {1}}, {0.4, 0.6}}));
}

}  // namespace
}  // namespace lipizz::coev
