#include "setup/operators.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "config/json.hpp"
#include "config/reference.hpp"
#include "core/error.hpp"
#include "setup/resolve.hpp"
#include "setup/settings.hpp"

namespace lipizz::setup::operators_test {
namespace {

using ::testing::ElementsAre;

config::Experiment experiment_with(std::initializer_list<const char*> assignments) {
  config::Experiment experiment;
  experiment.model.name = "mlp-2d";
  for (const char* assignment : assignments) config::apply_assignment(assignment, experiment);
  return experiment;
}

// The message of the error, or nothing.
std::string complaint(std::initializer_list<const char*> assignments) {
  try {
    settings_of(experiment_with(assignments));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST(Operators, are_handed_on_with_their_parameters) {
  const coev::Settings to = settings_of(experiment_with(
      {"selection.kind=tournament", "selection.size=4", "replacement=elitist",
       "fitness.aggregation=worst", "rate_mutation.kind=gaussian", "rate_mutation.probability=0.7",
       "loss_mutation=uniform", "loss_mutation.losses=bce,mse",
       "generator.opponents.kind=partner-share", "generator.opponents.share=0.25",
       "discriminator.opponents=uniform", "recombination.kind=average", "recombination.period=3",
       "mixture.kind=evolution-strategy", "mixture.tries=5"}));
  EXPECT_EQ(to.operators.selection->name, "tournament");
  EXPECT_THAT(to.operators.selection.values(), ElementsAre(4));
  EXPECT_EQ(to.operators.replacement->name, "elitist");
  EXPECT_EQ(to.operators.fitness.aggregation->name, "worst");
  EXPECT_EQ(to.operators.rate_mutation.mutation->name, "gaussian");
  EXPECT_THAT(to.operators.rate_mutation.mutation.values(), ElementsAre(0.05, 0.7, 0.1));
  EXPECT_EQ(to.operators.loss_mutation.mutation->name, "uniform");
  EXPECT_EQ(to.generator.opponents->name, "partner-share");
  EXPECT_THAT(to.generator.opponents.values(), ElementsAre(0.25));
  EXPECT_EQ(to.discriminator.opponents->name, "uniform");
  EXPECT_EQ(to.operators.recombination->name, "average");
  EXPECT_THAT(to.operators.recombination.values(), ElementsAre(1, 3));
  EXPECT_EQ(to.operators.mixture->name, "evolution-strategy");
  EXPECT_THAT(to.operators.mixture.values(), ElementsAre(0.01, 5));
}

// docs/results.md has the experiments that speak for them.
TEST(Operators, by_default_a_tenth_of_the_fakes_of_discriminators_are_neighbours) {
  const coev::Settings to = settings_of(experiment_with({}));
  EXPECT_EQ(to.generator.opponents->name, "partner");
  EXPECT_EQ(to.discriminator.opponents->name, "partner-share");
  EXPECT_THAT(to.discriminator.opponents.values(), ElementsAre(0.9));
  EXPECT_EQ(to.operators.selection->name, "none");
  EXPECT_EQ(to.operators.replacement->name, "generational");
  EXPECT_EQ(to.operators.rate_mutation.mutation->name, "none");
  EXPECT_EQ(to.operators.recombination->name, "none");
  EXPECT_EQ(to.operators.mixture->name, "pattern-search");
  EXPECT_EQ(to.operators.migration->name, "parameters");
}

TEST(Operators, what_is_not_there_gets_the_nearest) {
  EXPECT_EQ(complaint({"selection=turnament"}),
            "selection: there is no \"turnament\"; did you mean \"tournament\"?");
  EXPECT_EQ(complaint({"selection.kind=tournament", "selection.sise=3"}),
            "selection.sise: tournament has no parameter \"sise\"; did you mean \"size\"?");
  EXPECT_EQ(complaint({"generator.opponents.share=1"}),
            "generator.opponents.share: partner takes no parameters");
}

TEST(Operators, what_is_out_of_range_gets_the_range) {
  EXPECT_EQ(complaint({"selection.kind=tournament", "selection.size=1"}),
            "selection.size: expected a whole number from 2 to 1000 members, found 1");
  EXPECT_EQ(complaint({"selection.kind=tournament", "selection.size=2.5"}),
            "selection.size: expected a whole number from 2 to 1000 members, found 2.5");
  EXPECT_EQ(complaint({"rate_mutation.kind=log-normal", "rate_mutation.probability=2"}),
            "rate_mutation.probability: expected a number from 0 to 1, found 2");
}

TEST(Operators, migration_follows_who_needs_moments_or_is_refused) {
  EXPECT_EQ(settings_of(experiment_with({"selection=tournament"})).operators.migration->name,
            "genomes");
  EXPECT_EQ(settings_of(experiment_with({"selection=none"})).operators.migration->name,
            "parameters");
  EXPECT_EQ(complaint({"selection=none", "migration=genomes"}), "");
  EXPECT_EQ(complaint({"selection=tournament", "migration=parameters"}),
            "migration: expected genomes or auto, since selection tournament may copy a neighbour "
            "and trains on with its moments; found parameters");
  EXPECT_EQ(settings_of(experiment_with({"recombination=average"})).operators.migration->name,
            "genomes");
  EXPECT_EQ(complaint({"recombination=average", "migration=parameters"}),
            "migration: expected genomes or auto, since recombination average takes the mean of "
            "neighbours and their moments; found parameters");
}

TEST(Operators, novelty_needs_a_fitness_by_score) {
  EXPECT_EQ(complaint({"selection=novelty"}),
            "fitness.measure: expected score, since selection novelty compares pairs by their "
            "samples, which a score is taken of; found loss");
  EXPECT_EQ(complaint({"selection=novelty", "fitness.measure=score"}), "");
}

TEST(Operators, weights_by_recall_need_neighbours) {
  EXPECT_EQ(complaint({"mixture=recall", "score.n_samples_training=5"}),
            "score.n_samples_training: expected at least 6, since mixture recall looks at the 5 "
            "nearest of each; found 5");
  EXPECT_EQ(complaint({"mixture=recall", "score.n_samples_training=6"}), "");
  EXPECT_EQ(complaint({"mixture=equal", "score.n_samples_training=5"}), "");
}

TEST(Operators, what_a_schedule_ends_with_needs_one_that_ends) {
  EXPECT_EQ(complaint({"generator.beta2_end=0.99"}),
            "generator.beta2_end: nothing comes to an end with generator.schedule constant; choose "
            "another, or leave it out");
  EXPECT_EQ(complaint({"generator.schedule=cosine", "discriminator.penalty_end=0.1"}),
            "discriminator.penalty_end: nothing comes to an end with discriminator.schedule "
            "constant; choose another, or leave it out");
  const coev::Settings to = settings_of(
      experiment_with({"generator.schedule=linear", "discriminator.schedule=cosine",
                       "discriminator.beta2=0.9", "discriminator.beta2_end=0.99",
                       "discriminator.penalty_weight=4", "discriminator.penalty_end=0.25"}));
  EXPECT_EQ(to.generator.schedule->name, "linear");
  EXPECT_EQ(to.generator.optimizer.beta2_change, 0);
  EXPECT_DOUBLE_EQ(to.discriminator.optimizer.beta2_change, 0.99 - 0.9);
  EXPECT_DOUBLE_EQ(to.steps.penalty_change, -3);
}

TEST(Operators, losses_are_there_where_they_are_drawn_and_nowhere_else) {
  EXPECT_EQ(complaint({"loss_mutation=uniform"}),
            "loss_mutation.losses: expected at least one for loss_mutation uniform to choose from, "
            "found none");
  EXPECT_EQ(complaint({"loss_mutation.losses=bce,mse"}),
            "loss_mutation.losses: expected none, since loss_mutation none chooses none, found 2; "
            "set loss_mutation.kind to uniform, or leave them out");
}

TEST(Operators, a_resolved_experiment_spells_out_every_parameter) {
  const config::Experiment result = resolved(experiment_with(
      {"selection.kind=tournament", "selection.size=3", "rate_mutation=log-normal"}));
  using Parameters = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(result.operators.selection.parameters, (Parameters{{"size", 3}}));
  EXPECT_EQ(result.operators.rate_mutation.mutation.parameters,
            (Parameters{{"alpha", 0.05}, {"probability", 0.5}}));
  EXPECT_EQ(result.operators.mixture.parameters, (Parameters{{"step", 0.5}, {"least_step", 0.05}}));
  EXPECT_EQ(result.operators.migration.kind, "genomes");
  EXPECT_EQ(resolved(result), result);
  config::Experiment read;
  config::apply_json(config::to_json(result), "test", read);
  EXPECT_EQ(read, result);
}

// Every cell of the grid; 4x4 has 15 neighbours, 3x6 has 17.
std::vector<CellId> all_others(const grid::Torus& torus, CellId cell) {
  std::vector<CellId> others;
  for (std::uint32_t i = 0; i < torus.cells(); ++i) {
    if (CellId{i} != cell) others.push_back({i});
  }
  return others;
}

TEST(Operators, a_neighbourhood_that_cannot_be_published_is_refused) {
  const grid::Neighbourhood everybody{"everybody", "", all_others};
  const grid::Schedule schedule(everybody);
  EXPECT_NO_THROW(check_neighbours(schedule, {4, 4}));
  EXPECT_NO_THROW(check_neighbours(schedule, {1, 17}));
  try {
    check_neighbours(schedule, {3, 6});
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "neighbourhood: expected at most 16 neighbours, as many as a publication's tag "
                 "can tell apart; found 17 in everybody on a grid of 3x6; use a smaller "
                 "neighbourhood");
  }
}

TEST(Operators, the_page_of_settings_is_current) {
  std::ifstream stream(LIPIZZ_SOURCE_DIR "/docs/configuration.md");
  const std::string committed{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(committed == config::reference_page(operator_tables()))
      << "refresh it: lipizz config reference > docs/configuration.md";
}

// The file that spells out the defaults spells out those of the operators, too.
TEST(Operators, glyphs_has_the_operators_defaults) {
  config::Experiment glyphs;
  config::apply_file(LIPIZZ_SOURCE_DIR "/configs/glyphs.json", glyphs);
  glyphs.name = config::Experiment{}.name;
  EXPECT_EQ(with_complete_operators(glyphs), with_complete_operators({}));
}

}  // namespace
}  // namespace lipizz::setup::operators_test
