#include "coev/score_fitness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "coev/support.hpp"
#include "metrics/modes_scorer.hpp"
#include "metrics/support.hpp"

namespace lipizz::coev::score_fitness_test {
namespace {

TEST(ScoreFitness, is_the_held_out_score_of_as_many_samples_as_told) {
  Settings settings = testing::tiny_settings();
  settings.operators.fitness.n_samples = 17;
  const testing::ToyDataset dataset(testing::kTinySamples);
  testing::MeanScorer scorer;
  ScoreFitness fitness(testing::host(), settings, dataset, scorer);
  const Cell cell = make_cell(settings, {0});
  EXPECT_GE(fitness.of(cell.centre.generator.parameters, 1), 0);
  EXPECT_EQ(scorer.n_featured, 17U);
  EXPECT_EQ(scorer.n_held_out, 1U);
}

TEST(ScoreFitness, prefers_the_generator_whose_samples_score_better) {
  const Settings settings = testing::tiny_settings();
  const testing::ToyDataset dataset(testing::kTinySamples);
  const Cell cell = make_cell(settings, {0});
  const auto parameters = std::span<const float>(cell.centre.generator.parameters);
  testing::MeanScorer near(0, 0);
  testing::MeanScorer far(100, 100);
  ScoreFitness of_near(testing::host(), settings, dataset, near);
  ScoreFitness of_far(testing::host(), settings, dataset, far);
  EXPECT_LT(of_near.of(parameters, 1), of_far.of(parameters, 1));
}

// The mean of the toy's features is at the target where its score is zero.
TEST(ScoreFitness, without_classes_a_behaviour_is_the_mean_of_features) {
  const Settings settings = testing::tiny_settings();
  const testing::ToyDataset dataset(testing::kTinySamples);
  const Cell cell = make_cell(settings, {0});
  testing::MeanScorer scorer(0, 0);
  ScoreFitness fitness(testing::host(), settings, dataset, scorer);
  const auto [score, mean] = fitness.with_behaviour(cell.centre.generator.parameters, 1);
  EXPECT_EQ(score, fitness.of(cell.centre.generator.parameters, 1));
  ASSERT_EQ(mean.size(), 2U);
  EXPECT_DOUBLE_EQ(score, mean[0] * mean[0] + mean[1] * mean[1]);
}

TEST(ScoreFitness, with_classes_a_behaviour_is_their_shares) {
  Settings settings = testing::tiny_settings();
  settings.model.generator = testing::affine_network();
  const metrics::testing::LinePoints dataset;  // of three modes, the second at (1, 0)
  const auto scorer = metrics::make_modes_scorer(dataset);
  ScoreFitness fitness(testing::host(), settings, dataset, *scorer);
  const nn::Buffer<float> generator = testing::affine_generator(0, 1, 0);
  EXPECT_THAT(fitness.with_behaviour(generator, 1).behaviour, ::testing::ElementsAre(0, 1, 0));
}

TEST(ScoreFitness, of_a_generator_that_is_not_finite_is_none) {
  const Settings settings = testing::tiny_settings();
  const testing::ToyDataset dataset(testing::kTinySamples);
  testing::MeanScorer scorer;
  ScoreFitness fitness(testing::host(), settings, dataset, scorer);
  Cell cell = make_cell(settings, {0});
  cell.centre.generator.parameters.writable()[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(std::isfinite(fitness.of(cell.centre.generator.parameters, 1)));
  EXPECT_TRUE(fitness.with_behaviour(cell.centre.generator.parameters, 1).behaviour.empty());
}

}  // namespace
}  // namespace lipizz::coev::score_fitness_test
