#include "coev/loss_mutation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coev/loss_mutation/each.hpp"
#include "coev/loss_mutation/none.hpp"
#include "coev/loss_mutation/uniform.hpp"
#include "coev/operator_conformance.hpp"

namespace lipizz::coev::loss_mutation_test {
namespace {

using ::testing::Contains;

const Random kRandom(3, Purpose::kLossMutation, {1}, 2);

TEST(LossMutation, draws_each_loss_equally_often) {
  const std::vector<nn::LossId> losses{0, 3, 1};
  std::vector<int> counts(4);
  for (std::uint32_t i = 0; i < 3000; ++i) {
    ++counts[kUniformLossMutation.mutate({2, losses, kRandom, i}, {})];
  }
  EXPECT_EQ(counts[2], 0);
  for (const nn::LossId loss : losses)
    EXPECT_NEAR(counts[loss], 1000, 4 * std::sqrt(3000 * 2 / 9.0));
}

TEST(LossMutation, gives_each_loss_to_an_offspring) {
  const std::vector<nn::LossId> losses{0, 3, 1};
  std::vector<nn::LossId> given;
  for (std::uint32_t offspring = 0; offspring < 5; ++offspring) {
    given.push_back(kEachLossMutation.mutate({2, losses, kRandom, 7, offspring}, {}));
  }
  EXPECT_THAT(given, ::testing::ElementsAre(0, 3, 1, 0, 3));
}

TEST(LossMutation, every_row_conforms) {
  for (const LossMutation* row : loss_mutations()) {
    EXPECT_THAT(testing::broken_properties(*row), ::testing::IsEmpty()) << row->name;
  }
}

TEST(LossMutation, the_suite_finds_each_property_broken) {
  LossMutation spoiled = kUniformLossMutation;
  spoiled.mutate = [](const LossMutationInput& input, ParameterValues) {
    static std::size_t n_calls = 0;
    return input.losses[n_calls++ % input.losses.size()];
  };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("deterministic"));
  spoiled.mutate = [](const LossMutationInput&, ParameterValues) -> nn::LossId { return 5; };
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("one of the losses"));
  spoiled = kUniformLossMutation;
  spoiled.chooses = false;
  EXPECT_THAT(testing::broken_properties(spoiled), Contains("chooses as it says"));
}

}  // namespace
}  // namespace lipizz::coev::loss_mutation_test
