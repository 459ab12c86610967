#include "coev/recombination.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "coev/operator_conformance.hpp"
#include "coev/recombination/average.hpp"
#include "coev/recombination/none.hpp"

namespace lipizz::coev::recombination_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

std::vector<double> weights_of(const Configured<Recombination>& recombination,
                               std::size_t n_members, std::size_t selected, Generation generation) {
  std::vector<double> weights(n_members);
  weights[selected] = 1;
  recombination->weigh({selected, generation}, recombination.values(), weights);
  return weights;
}

TEST(Recombination, none_takes_the_selected_member) {
  EXPECT_THAT(weights_of(kNoRecombination, 3, 1, 4), ElementsAre(0, 1, 0));
}

TEST(Recombination, average_goes_to_the_mean_as_far_as_its_share_says) {
  EXPECT_THAT(weights_of(kAverageRecombination, 4, 0, 1), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(weights_of({kAverageRecombination, {0.5, 1}}, 4, 0, 1),
              ElementsAre(0.625, 0.125, 0.125, 0.125));
  EXPECT_THAT(weights_of({kAverageRecombination, {0, 1}}, 2, 1, 1), ElementsAre(0, 1));
}

TEST(Recombination, average_happens_in_every_period) {
  for (Generation generation = 1; generation <= 9; ++generation) {
    const std::vector<double> weights =
        weights_of({kAverageRecombination, {1, 3}}, 2, 0, generation);
    EXPECT_EQ(weights[1], generation % 3 == 0 ? 0.5 : 0) << generation;
  }
}

TEST(Recombination, every_row_conforms) {
  for (const Recombination* row : recombinations()) {
    EXPECT_THAT(testing::broken_properties(*row), ::testing::IsEmpty()) << row->name;
  }
}

TEST(Recombination, the_suite_finds_each_property_broken) {
  Recombination spoiled = kAverageRecombination;
  spoiled.weigh = [](const RecombinationInput& input, ParameterValues, std::span<double> weights) {
    static int n_calls = 0;
    weights[input.selected] = 0;
    weights[static_cast<std::size_t>(n_calls++) % weights.size()] = 1;
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("deterministic"));
  spoiled.weigh = [](const RecombinationInput&, ParameterValues, std::span<double> weights) {
    for (double& weight : weights) weight = 1;
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("are weights"));
  spoiled.weigh = [](const RecombinationInput&, ParameterValues, std::span<double> weights) {
    if (weights.size() < 2) return;
    for (double& weight : weights) weight = 0;
    weights[0] = 2;
    weights[1] = -1;
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("are weights"));
  spoiled = kAverageRecombination;
  spoiled.mixes = false;
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("mixes as it says"));
}

}  // namespace
}  // namespace lipizz::coev::recombination_test
