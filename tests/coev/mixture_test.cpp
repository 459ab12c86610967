#include "coev/mixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "core/random.hpp"

namespace lipizz::coev::mixture_test {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

const Random kRandom(1, Purpose::kMixtureStep, {0}, 1);

TEST(Mixture, starts_with_equal_weights) {
  EXPECT_THAT(equal_mixture(std::vector<CellId>{{3}, {1}, {2}, {0}}).weights,
              ElementsAre(0.25, 0.25, 0.25, 0.25));
}

TEST(Mixture, stays_as_it_is_in_the_same_neighbourhood) {
  const Mixture old{{{0}, {1}}, {0.9, 0.1}};
  EXPECT_EQ(with_members(old, old.cells).weights, old.weights);
}

TEST(Mixture, lets_newcomers_enter_with_the_mean_weight) {
  const Mixture old{{{0}, {1}, {2}, {3}}, {0.4, 0.3, 0.2, 0.1}};
  const Mixture now = with_members(old, std::vector<CellId>{{0}, {2}, {5}, {6}});
  // 0.4, 0.2 and twice the mean 0.25 sum to 1.1.
  EXPECT_THAT(now.weights, ElementsAre(DoubleEq(0.4 / 1.1), DoubleEq(0.2 / 1.1),
                                       DoubleEq(0.25 / 1.1), DoubleEq(0.25 / 1.1)));
  EXPECT_EQ(now.cells, (std::vector<CellId>{{0}, {2}, {5}, {6}}));
}

TEST(Mixture, is_equal_again_when_only_weightless_members_stay) {
  const Mixture old{{{0}, {1}, {2}}, {0, 1, 0}};
  EXPECT_THAT(with_members(old, std::vector<CellId>{{0}, {2}}).weights, ElementsAre(0.5, 0.5));
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
}  // namespace lipizz::coev::mixture_test
