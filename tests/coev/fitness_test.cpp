#include "coev/fitness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "coev/fitness/average.hpp"
#include "coev/fitness/best.hpp"
#include "coev/fitness/worst.hpp"
#include "coev/operator_conformance.hpp"

namespace lipizz::coev::fitness_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Fitness, aggregates_losses_as_their_names_say) {
  const std::vector<double> losses{1, 4, 1};
  EXPECT_EQ(aggregate(kAverageFitness, losses), 2);
  EXPECT_EQ(aggregate(kWorstFitness, losses), 4);
  EXPECT_EQ(aggregate(kBestFitness, losses), 1);
}

TEST(Fitness, is_nan_as_soon_as_one_loss_is_not_finite) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    for (const FitnessAggregation* row : fitness_aggregations()) {
      EXPECT_TRUE(std::isnan(aggregate(*row, std::vector<double>{1, bad, 2}))) << row->name;
    }
  }
}

TEST(Fitness, of_a_table_goes_over_the_opponents) {
  // Two generators, three discriminators.
  const PairLosses losses{.n_generators = 2,
                          .n_discriminators = 3,
                          .generator = {1, 2, 3, 4, 5, 9},
                          .fake = {1, 1, 1, 3, 5, 9},
                          .real = {10, 20, 30}};
  EXPECT_THAT(generator_fitness(losses, kAverageFitness), ElementsAre(2, 6));
  EXPECT_THAT(generator_fitness(losses, kWorstFitness), ElementsAre(3, 9));
  EXPECT_THAT(discriminator_fitness(losses, kAverageFitness), ElementsAre(12, 23, 35));
  EXPECT_THAT(discriminator_fitness(losses, kBestFitness), ElementsAre(11, 21, 31));
}

TEST(Fitness, every_row_conforms) {
  for (const FitnessAggregation* row : fitness_aggregations()) {
    EXPECT_THAT(testing::broken_properties(*row), ::testing::IsEmpty()) << row->name;
  }
}

TEST(Fitness, the_suite_finds_each_property_broken) {
  FitnessAggregation spoiled = kWorstFitness;
  spoiled.aggregate = [](std::span<const double> losses, ParameterValues) {
    static std::size_t n_calls = 0;
    return losses[n_calls++ % losses.size()];
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("deterministic"));
  spoiled.aggregate = [](std::span<const double> losses, ParameterValues) { return losses[0]; };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("no order"));
  spoiled.aggregate = [](std::span<const double> losses, ParameterValues) {
    return std::accumulate(losses.begin(), losses.end(), 0.0);
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("between the extremes"));
  spoiled.aggregate = [](std::span<const double> losses, ParameterValues) {
    return -std::ranges::max(losses);
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("monotone"));
}

}  // namespace
}  // namespace lipizz::coev::fitness_test
