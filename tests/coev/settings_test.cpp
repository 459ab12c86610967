#include "coev/settings.hpp"

#include <gtest/gtest.h>

#include "coev/fitness_evaluator.hpp"
#include "coev/replacement/elitist.hpp"
#include "coev/replacement/generational.hpp"
#include "coev/selection/none.hpp"
#include "coev/selection/pair_tournament.hpp"
#include "coev/selection/tournament.hpp"
#include "coev/support.hpp"

namespace lipizz::coev::settings_test {
namespace {

TEST(Settings, samples_of_large_models_are_made_a_few_at_once) {
  EXPECT_EQ(rows_at_once(nn::make_model("mlp")), 250U);
  EXPECT_EQ(rows_at_once(nn::make_model("dcgan64")), 250U);
  EXPECT_EQ(rows_at_once(nn::make_model("sngan32")), 64U);  // layers of 32x32x256
  EXPECT_EQ(rows_at_once(nn::make_model("pix2pix")), 8U);   // of 128x128x128
}

TEST(Settings, what_is_only_told_takes_a_batch) {
  Settings settings = testing::tiny_settings();
  settings.batch_size = 8;
  settings.operators.fitness.n_samples = 100;
  const auto bytes = [&] { return FitnessEvaluator::bytes(settings, nn::Engine{}, 1).total(); };
  const std::size_t of_all_samples = bytes();
  EXPECT_TRUE(compares_offspring(settings.operators));  // elitist
  EXPECT_EQ(n_offspring_samples(settings), 100U);
  settings.operators.replacement = kGenerationalReplacement;
  EXPECT_TRUE(evaluates_members(settings.operators));  // a tournament
  EXPECT_FALSE(compares_offspring(settings.operators));
  EXPECT_EQ(n_offspring_samples(settings), 8U);
  EXPECT_EQ(bytes(), of_all_samples);
  settings.operators.selection = kNoSelection;
  EXPECT_FALSE(evaluates_members(settings.operators));
  EXPECT_FALSE(evaluates_members(settings.operators, 5));
  EXPECT_LT(bytes(), of_all_samples / 4);
}

TEST(Settings, members_are_evaluated_in_the_generations_that_ask_for_it) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = {kPairTournamentSelection, {5}};
  settings.operators.replacement = kGenerationalReplacement;
  EXPECT_TRUE(evaluates_members(settings.operators));
  for (Generation g = 1; g < 20; ++g) {
    EXPECT_EQ(evaluates_members(settings.operators, g), g % 5 == 0) << g;
  }
  settings.operators.replacement = kElitistReplacement;  // compares in each of them
  EXPECT_TRUE(evaluates_members(settings.operators, 1));
  settings.operators.replacement = kGenerationalReplacement;
  settings.operators.selection = kTournamentSelection;  // has no period
  EXPECT_TRUE(evaluates_members(settings.operators, 1));
}

}  // namespace
}  // namespace lipizz::coev::settings_test
