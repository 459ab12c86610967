#include "coev/evolution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "coev/interrupted.hpp"
#include "coev/loss_mutation/each.hpp"
#include "coev/opponents/history.hpp"
#include "coev/opponents/partner.hpp"
#include "coev/publication.hpp"
#include "coev/rate_mutation/perturb.hpp"
#include "coev/recombination/average.hpp"
#include "coev/selection/novelty.hpp"
#include "coev/selection/tournament.hpp"
#include "coev/selection/truncation.hpp"
#include "coev/support.hpp"
#include "core/error.hpp"

namespace lipizz::coev::evolution_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Cell 0 and what it holds of its neighbours 1 and 2.
struct Neighbourhood {
  Settings settings;
  testing::ToyDataset dataset{testing::kTinySamples};
  testing::MeanScorer scorer;
  std::vector<Cell> cells;

  explicit Neighbourhood(const Settings& given, std::uint32_t n_cells = 3) : settings(given) {
    for (std::uint32_t i = 0; i < n_cells; ++i) cells.push_back(make_cell(settings, {i}));
  }

  const CellReport& evolve(Generation generation = 1) {
    Evolution evolution(testing::host(), settings, dataset, scorer, 1);
    const EvolutionJob job{&cells[0], testing::subpopulation(cells)};
    evolution.run(
        {&job, 1}, generation, [](CellId) {}, [] { return true; });
    return cells[0].report;
  }
};

// The generator overflows after a step or two, and a discriminator that meets it is lost as well.
Settings exploding(const Replacement& replacement) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = replacement;
  settings.operators.rate_mutation.mutation = kNoRateMutation;
  settings.generator.learning_rate = 1e38;
  settings.generator.optimizer = {.kind = nn::find_optimizer("sgd"), .beta1 = 0.9};
  settings.discriminator.learning_rate = 0;
  return settings;
}

TEST(Evolution, elitist_keeps_the_centre_that_training_did_not_improve) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = kNoSelection;
  settings.generator.learning_rate = settings.discriminator.learning_rate = 0;
  Neighbourhood n(settings);
  const Pair before = n.cells[0].centre;
  const CellReport& report = n.evolve();
  EXPECT_FALSE(report.generator.is_replaced);  // as good is not better
  EXPECT_FALSE(report.discriminator.is_replaced);
  EXPECT_EQ(n.cells[0].centre, before);
  EXPECT_EQ(n.cells[0].generation, 1U);
}

TEST(Evolution, generational_takes_the_offspring_in_any_case) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = kGenerationalReplacement;
  settings.generator.learning_rate = settings.discriminator.learning_rate = 0;
  Neighbourhood n(settings);
  const CellReport& report = n.evolve();
  EXPECT_TRUE(report.generator.is_replaced);
  EXPECT_TRUE(report.discriminator.is_replaced);
  EXPECT_EQ(n.cells[0].centre.generator.step, 10U);
  EXPECT_TRUE(std::isfinite(report.generator.loss));
}

TEST(Evolution, what_is_not_compared_meets_its_own_partner_alone) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = kGenerationalReplacement;
  settings.generator.opponents = settings.discriminator.opponents = kPartnerOpponents;
  Neighbourhood alone(settings, 1);
  Neighbourhood among_others(settings);
  const CellReport& expected = alone.evolve();
  const CellReport& report = among_others.evolve();
  EXPECT_EQ(report.generator.loss, expected.generator.loss);
  EXPECT_EQ(report.discriminator.loss, expected.discriminator.loss);
  const Pair& centre = alone.cells[0].centre;
  FitnessEvaluator evaluator(testing::host(), settings, alone.dataset);
  evaluator.draw_batch({0}, 1, settings.batch_size);
  const std::vector<std::span<const float>> g{centre.generator.parameters};
  const std::vector<std::span<const float>> d{centre.discriminator.parameters};
  const PairLosses losses = evaluator.all_pairs(g, d);
  EXPECT_EQ(report.generator.loss, generator_fitness(losses, kAverageFitness)[0]);
  EXPECT_EQ(report.discriminator.loss, discriminator_fitness(losses, kAverageFitness)[0]);
}

TEST(Evolution, elitist_never_gets_worse_against_the_opponents_it_met) {
  Neighbourhood n(testing::tiny_settings());
  int n_replaced = 0;
  for (Generation generation = 1; generation <= 6; ++generation) {
    const Pair before = n.cells[0].centre;
    const std::vector<Cell> opponents = n.cells;
    const CellReport report = n.evolve(generation);
    n_replaced += report.generator.is_replaced + report.discriminator.is_replaced;
    FitnessEvaluator evaluator(testing::host(), n.settings, n.dataset);
    evaluator.draw_batch({0}, generation, n.settings.operators.fitness.n_samples);
    const Subpopulation members = testing::subpopulation(opponents);
    const std::vector<std::span<const float>> old_and_new{before.generator.parameters,
                                                          n.cells[0].centre.generator.parameters};
    const auto fitness = generator_fitness(
        evaluator.all_pairs_on_fakes(old_and_new, members.discriminators()), kAverageFitness);
    EXPECT_EQ(report.generator.loss, fitness[1]);
    EXPECT_LE(fitness[1], fitness[0]);
  }
  EXPECT_GT(n_replaced, 0);
}

TEST(Evolution, selection_trains_the_fittest_of_the_neighbourhood) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = {kTournamentSelection, {3}};
  settings.operators.replacement = kGenerationalReplacement;
  settings.generator.learning_rate = settings.discriminator.learning_rate = 0;
  Neighbourhood n(settings);
  const Subpopulation members = testing::subpopulation(n.cells);
  FitnessEvaluator evaluator(testing::host(), settings, n.dataset);
  evaluator.draw_batch({0}, 1, settings.operators.fitness.n_samples);
  const PairLosses table = evaluator.all_pairs(members.generators(), members.discriminators());
  const auto g = generator_fitness(table, kAverageFitness);
  const auto d = discriminator_fitness(table, kAverageFitness);
  const auto best_g = static_cast<std::uint32_t>(std::ranges::min_element(g) - g.begin());
  const auto best_d = static_cast<std::uint32_t>(std::ranges::min_element(d) - d.begin());
  const nn::SharedBuffer<float> expected_g = n.cells[best_g].centre.generator.parameters;
  const nn::SharedBuffer<float> expected_d = n.cells[best_d].centre.discriminator.parameters;
  const CellReport& report = n.evolve();
  EXPECT_EQ(report.generator.origin, CellId{best_g});
  EXPECT_EQ(report.discriminator.origin, CellId{best_d});
  EXPECT_EQ(n.cells[0].centre.generator.parameters, expected_g);  // the rate is 0
  EXPECT_EQ(n.cells[0].centre.discriminator.parameters, expected_d);
}

TEST(Evolution, without_selection_trains_its_own) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = kGenerationalReplacement;
  Neighbourhood n(settings);
  for (Generation generation = 1; generation <= 5; ++generation) {
    EXPECT_EQ(n.evolve(generation).generator.origin, CellId{0});
  }
}

TEST(Evolution, recombination_trains_the_mean_of_the_neighbourhood) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = kGenerationalReplacement;
  settings.generator.learning_rate = settings.discriminator.learning_rate = 0;
  Neighbourhood n(settings);
  n.settings.operators.recombination = kAverageRecombination;
  const std::vector<Cell> before = n.cells;
  n.evolve();
  for (const NetworkRole role : kNetworkRoles) {
    const nn::SharedBuffer<float>& after = genome(n.cells[0].centre, role).parameters;
    for (std::size_t i = 0; i < after.size(); ++i) {
      double sum = 0;
      for (const Cell& cell : before) sum += genome(cell.centre, role).parameters[i];
      EXPECT_NEAR(after[i], sum / 3, 1e-6);
    }
  }
}

TEST(Evolution, of_several_offspring_the_one_with_the_fittest_generator_goes_on) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = kGenerationalReplacement;
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t n_offspring : {1U, 2U, 3U, 6U}) {
    settings.operators.n_offspring = n_offspring;
    Neighbourhood n(settings);
    const Pair before = n.cells[0].centre;
    const Subpopulation members = testing::subpopulation(n.cells);
    const std::vector<nn::SharedBuffer<float>> discriminators{
        members.pair(0).discriminator.parameters, members.pair(1).discriminator.parameters,
        members.pair(2).discriminator.parameters};
    n.evolve();
    FitnessEvaluator evaluator(testing::host(), settings, n.dataset);
    evaluator.draw_batch({0}, 1, settings.operators.fitness.n_samples);
    const std::vector<std::span<const float>> generator{n.cells[0].centre.generator.parameters};
    const std::vector<std::span<const float>> opponents(discriminators.begin(),
                                                        discriminators.end());
    const double fitness =
        generator_fitness(evaluator.all_pairs_on_fakes(generator, opponents), kAverageFitness)[0];
    if (n_offspring > 1) {
      EXPECT_EQ(n.cells[0].report.generator.loss, fitness);
    }
    EXPECT_LE(fitness, least);  // those of fewer offspring are among those of more
    EXPECT_NE(n.cells[0].centre, before);
    least = fitness;
  }
}

TEST(Evolution, each_offspring_has_random_numbers_of_its_own) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = kGenerationalReplacement;
  Neighbourhood one(settings);
  one.evolve();
  settings.operators.n_offspring = 8;
  Neighbourhood several(settings);
  several.evolve();
  EXPECT_NE(one.cells[0].centre, several.cells[0].centre);
}

TEST(Evolution, each_offspring_has_a_loss_of_its_own) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = kGenerationalReplacement;
  settings.operators.n_offspring = 3;
  settings.operators.loss_mutation = {
      kEachLossMutation,
      {nn::find_loss("bce"), nn::find_loss("mse"), nn::find_loss("minimax")},
      Period::kGeneration};
  Neighbourhood n(settings);
  std::set<std::string> winners;
  for (Generation generation = 1; generation <= 20; ++generation) {
    winners.insert(n.evolve(generation).generator.objective);
  }
  EXPECT_GT(winners.size(), 1U);
}

TEST(Evolution, an_offspring_that_is_lost_leaves_the_others) {
  Settings settings = exploding(kElitistReplacement);
  settings.operators.n_offspring = 3;
  Neighbourhood n(settings);
  const Pair before = n.cells[0].centre;
  EXPECT_TRUE(n.evolve().has_diverged);
  EXPECT_EQ(n.cells[0].centre, before);
}

TEST(Evolution, diversity_counts_beside_the_loss) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = {kTournamentSelection, {3}};
  settings.operators.replacement = kGenerationalReplacement;
  settings.generator.learning_rate = settings.discriminator.learning_rate = 0;
  settings.model = {testing::affine_network(), {{2}, {{1}}}};
  settings.operators.fitness.diversity = 1000;
  Neighbourhood n(settings);
  n.cells[0].centre.generator.parameters = testing::affine_generator(1, 1, 0);
  n.cells[1].centre.generator.parameters = testing::affine_generator(3, 1, 0);
  n.cells[2].centre.generator.parameters = testing::affine_generator(2, 1, 0);
  EXPECT_EQ(n.evolve().generator.origin, CellId{1});
}

TEST(Evolution, keeps_the_past_that_opponents_ask_for) {
  Settings settings = testing::tiny_settings();
  settings.discriminator.opponents = {kHistoryOpponents, {0.5, 2, 1}};
  Neighbourhood n(settings);
  for (Generation generation = 1; generation <= 3; ++generation) n.evolve(generation);
  ASSERT_EQ(n.cells[0].history.generator.size(), 2U);
  EXPECT_EQ(n.cells[0].history.generator[1], n.cells[0].centre.generator.parameters);
  EXPECT_NE(n.cells[0].history.generator[0], n.cells[0].centre.generator.parameters);
  EXPECT_TRUE(n.cells[0].history.discriminator.empty());
}

TEST(Evolution, reports_the_rate_and_loss_that_the_optimizer_used) {
  Settings settings = testing::tiny_settings();
  settings.operators.replacement = kGenerationalReplacement;
  settings.operators.rate_mutation = {{kLogNormalRateMutation, {0.3, 1}}, Period::kGeneration};
  settings.operators.loss_mutation = {
      kUniformLossMutation,
      {nn::find_loss("bce"), nn::find_loss("mse"), nn::find_loss("minimax")},
      Period::kGeneration};
  Neighbourhood n(settings);
  std::set<std::string> objectives;
  std::set<double> rates;
  for (Generation generation = 1; generation <= 20; ++generation) {
    const CellReport& report = n.evolve(generation);
    EXPECT_EQ(report.generator.rate, n.cells[0].centre.generator.learning_rate);
    EXPECT_EQ(report.discriminator.rate, n.cells[0].centre.discriminator.learning_rate);
    EXPECT_NE(report.generator.rate, report.discriminator.rate);
    objectives.insert(report.generator.objective);
    rates.insert(report.generator.rate);
  }
  EXPECT_THAT(objectives, ElementsAre("bce", "minimax", "mse"));
  EXPECT_GT(rates.size(), 15U);
}

TEST(Evolution, tells_of_updates_that_were_left_out) {
  Settings settings = testing::tiny_settings();
  settings.discriminator.optimizer.mixed = {nn::Half::kFp16};
  settings.steps.penalty = &nn::find_penalty("r1");
  Neighbourhood n(settings);
  const CellReport& report = n.evolve();
  EXPECT_GT(report.discriminator.n_skipped, 0U);
  EXPECT_EQ(report.generator.n_skipped, 0U);
  const auto scale = static_cast<int>(n.cells[0].centre.discriminator.loss_scale[0]);
  EXPECT_THAT(report.warnings,
              Contains("discriminator: left out " + std::to_string(report.discriminator.n_skipped) +
                       " of 10 updates, since gradients were not finite; its loss scale is " +
                       std::to_string(scale) + " now"));
  EXPECT_FALSE(report.has_diverged);
}

TEST(Evolution, a_network_that_no_update_is_made_of_has_diverged) {
  Settings settings = testing::tiny_settings();
  settings.discriminator.optimizer.mixed = {nn::Half::kFp16, 65536};
  settings.steps.penalty = &nn::find_penalty("r1");
  Neighbourhood n(settings);
  const CellReport& report = n.evolve();
  EXPECT_THAT(report.warnings,
              Contains("discriminator: left out 10 of 10 updates, since gradients were not finite; "
                       "lower discriminator.learning_rate or .loss_scale"));
  EXPECT_TRUE(report.has_diverged);
}

// One batch to a generation: the first offspring are what their centres are.
TEST(Evolution, elitist_keeps_the_loss_scale_that_an_offspring_has_come_to) {
  Settings settings = testing::tiny_settings();
  settings.batches_per_generation = 1;
  settings.operators.replacement = {kElitistReplacement};
  settings.discriminator.optimizer.mixed = {nn::Half::kFp16};
  settings.steps.penalty = &nn::find_penalty("r1");
  Neighbourhood n(settings);
  n.cells.resize(1);
  const CellReport& report = n.evolve();
  EXPECT_FALSE(report.discriminator.is_replaced);
  EXPECT_EQ(report.discriminator.n_skipped, 1U);
  EXPECT_EQ(n.cells[0].centre.discriminator.loss_scale, (nn::Buffer<float>{32768, 0}));
}

TEST(Evolution, elitist_keeps_the_centre_when_the_offspring_goes_nan) {
  Neighbourhood n(exploding(kElitistReplacement));
  const Pair before = n.cells[0].centre;
  const CellReport& report = n.evolve();
  EXPECT_EQ(n.cells[0].centre, before);
  EXPECT_THAT(report.warnings, Contains("generator went NaN or infinite in training; the centre "
                                        "stays as it was before"));
  EXPECT_TRUE(std::isfinite(report.generator.loss));
  EXPECT_TRUE(report.has_diverged);
}

TEST(Evolution, generational_replaces_a_centre_gone_nan_by_the_best_neighbour) {
  Neighbourhood n(exploding(kGenerationalReplacement));
  const Subpopulation members = testing::subpopulation(n.cells);
  FitnessEvaluator evaluator(testing::host(), n.settings, n.dataset);
  evaluator.draw_batch({0}, 1, n.settings.operators.fitness.n_samples);
  const auto fitness = generator_fitness(
      evaluator.all_pairs(members.generators(), members.discriminators()), kAverageFitness);
  const CellReport& report = n.evolve();
  EXPECT_FALSE(report.generator.is_replaced);
  EXPECT_TRUE(report.generator.is_copied);
  const CellId source = report.generator.origin;
  EXPECT_EQ(source, CellId{fitness[1] < fitness[2] ? 1U : 2U});
  EXPECT_THAT(report.warnings, Contains("generator went NaN or infinite in training; replaced by "
                                        "that of cell " +
                                        std::to_string(source.value)));
  EXPECT_EQ(n.cells[0].centre.generator.parameters,
            n.cells[source.value].centre.generator.parameters);
  EXPECT_TRUE(std::isfinite(report.generator.loss));
}

TEST(Evolution, is_an_error_when_nothing_finite_is_left) {
  Neighbourhood alone(exploding(kGenerationalReplacement), 1);
  EXPECT_THROW(alone.evolve(), NumericError);
}

TEST(Evolution, warns_when_the_discriminator_has_won) {
  Settings settings = testing::tiny_settings();
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = kGenerationalReplacement;
  settings.generator.learning_rate = settings.discriminator.learning_rate = 0;
  // Points around (1, 0) against points far to the left: x alone tells them apart.
  settings.model = {testing::affine_network(), {{2}, {{1}}}};
  Neighbourhood n(settings, 1);
  EXPECT_THAT(n.evolve(1).warnings, IsEmpty());
  n.cells[0].centre.generator.parameters = testing::affine_generator(0, -100, 0);
  n.cells[0].centre.discriminator.parameters.writable()[0] = 1;
  n.cells[0].centre.discriminator.parameters.writable()[1] = 0;
  n.cells[0].centre.discriminator.parameters.writable()[2] = 20;
  EXPECT_THAT(n.evolve(2).warnings, ElementsAre(HasSubstr("discriminator loss is 0.0000")));
  n.settings.operators.fitness.loss = nn::find_loss("wasserstein");  // below zero, as it should be
  EXPECT_THAT(n.evolve(3).warnings, IsEmpty());
}

Settings by_score() {
  Settings settings = testing::tiny_settings();
  settings.operators.fitness.measure = FitnessMeasure::kScore;
  settings.operators.selection = kPairTournamentSelection;
  return settings;
}

// The pair that a neighbour reads of a publication.
Pair received(std::span<const std::byte> publication, const Settings& settings) {
  const PerRole<GenomeShape> shapes = genome_shapes(settings);
  Pair pair{shapes.generator.make(), shapes.discriminator.make()};
  read_publication(publication, shapes, pair);
  return pair;
}

// LT-1 of LBANN's tests: a genome that was trained at one cell and has travelled has the fitness
// that it has there, to the bit, with the average that its samples are made with.
TEST(Evolution, a_published_genome_has_the_same_score_at_sender_and_receiver) {
  Settings settings = by_score();
  settings.steps.average_decay = 0.9;
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = kGenerationalReplacement;
  Neighbourhood n(settings);
  n.evolve(1);
  Pair& own = n.cells[0].centre;
  ASSERT_NE(own.generator.average, own.generator.parameters);
  ScoreFitness sender(testing::host(), settings, n.dataset, n.scorer);
  ScoreFitness receiver(testing::host(), settings, n.dataset, n.scorer);
  const double told = sender.of(sampled(own.generator), 5);
  const auto at_receiver = [&](Generation generation) {
    const Pair copy = received(write_publication(n.cells[0], settings), settings);
    return receiver.of(sampled(copy.generator), generation);
  };
  EXPECT_EQ(at_receiver(5), told);
  EXPECT_NE(at_receiver(6), told);  // other noise
  own.generator.average.writable().front() += 1;
  EXPECT_NE(at_receiver(5), told);  // another genome
}

// LT-2: as many cells as cannot be paired off. Each goes on with its own pair or a fitter one.
TEST(Evolution, a_tournament_by_score_of_three_cells_leaves_nobody_out) {
  Settings settings = by_score();
  settings.operators.replacement = kGenerationalReplacement;
  settings.generator.learning_rate = settings.discriminator.learning_rate = 0;
  settings.operators.rate_mutation.mutation = kNoRateMutation;
  Neighbourhood start(settings);
  ScoreFitness fitness(testing::host(), settings, start.dataset, start.scorer);
  for (std::size_t centre = 0; centre < 3; ++centre) {
    Neighbourhood n = start;
    std::swap(n.cells[0], n.cells[centre]);
    const Pair before = n.cells[0].centre;
    n.evolve(1);
    const Pair& after = n.cells[0].centre;
    EXPECT_LE(fitness.of(after.generator.parameters, 1),
              fitness.of(before.generator.parameters, 1));
    const bool is_one_of_them = std::ranges::any_of(start.cells, [&](const Cell& cell) {
      return after.generator.parameters == cell.centre.generator.parameters &&
             after.discriminator.parameters == cell.centre.discriminator.parameters;
    });
    EXPECT_TRUE(is_one_of_them) << "a pair that was torn apart";
  }
}

// LT-3: a genome that is not finite never survives, whoever holds it.
TEST(Evolution, by_score_what_is_not_finite_never_survives) {
  for (const std::uint32_t damaged : {0U, 1U}) {
    for (Generation g = 1; g <= 20; ++g) {
      Neighbourhood n(by_score());
      n.cells[damaged].centre.generator.parameters.writable().front() =
          std::numeric_limits<float>::quiet_NaN();
      const CellReport& report = n.evolve(g);
      EXPECT_NE(report.generator.origin, n.cells[damaged].id) << g;
      EXPECT_TRUE(is_finite(n.cells[0].centre.generator)) << g;
      EXPECT_TRUE(is_finite(n.cells[0].centre.discriminator)) << g;
    }
  }
}

// Also where the selection by itself takes generators and discriminators apart.
TEST(Evolution, a_fitness_by_score_never_tears_pairs_apart) {
  for (const Selection* selection : {&kTruncationSelection, &kTournamentSelection}) {
    Settings settings = by_score();
    settings.operators.selection = *selection;
    settings.operators.replacement = kGenerationalReplacement;
    std::set<std::uint32_t> origins;
    for (Generation g = 1; g <= 20; ++g) {
      Neighbourhood n(settings);
      const CellReport& report = n.evolve(g);
      EXPECT_EQ(report.generator.origin, report.discriminator.origin) << selection->name << g;
      origins.insert(report.generator.origin.value);
    }
    EXPECT_GT(origins.size(), 1U) << selection->name;
  }
}

TEST(Evolution, members_are_scored_in_the_generations_of_a_period_alone) {
  Settings settings = by_score();
  settings.operators.selection = {kPairTournamentSelection, {5}};
  settings.operators.replacement = kGenerationalReplacement;
  const auto n_scored = [&](Generation generation) {
    Neighbourhood n(settings);
    n.evolve(generation);
    return n.scorer.n_featured / settings.operators.fitness.n_samples;
  };
  EXPECT_EQ(n_scored(4), 1U);  // the offspring
  EXPECT_EQ(n_scored(5), 4U);  // and all three members
}

// The pair whose samples score best goes on whole, and the offspring replaces it by its score.
TEST(Evolution, a_fitness_by_score_selects_whole_pairs) {
  Settings settings = by_score();
  settings.operators.replacement = kGenerationalReplacement;
  settings.generator.learning_rate = settings.discriminator.learning_rate = 0;
  settings.operators.rate_mutation.mutation = kNoRateMutation;
  Neighbourhood n(settings, 2);
  ScoreFitness fitness(testing::host(), settings, n.dataset, n.scorer);
  const Pair own = n.cells[0].centre;
  const Pair other = n.cells[1].centre;
  const bool other_is_fitter =
      fitness.of(other.generator.parameters, 1) < fitness.of(own.generator.parameters, 1);
  n.evolve();
  const Pair& wanted = other_is_fitter ? other : own;
  EXPECT_EQ(n.cells[0].centre.generator.parameters, wanted.generator.parameters);
  EXPECT_EQ(n.cells[0].centre.discriminator.parameters, wanted.discriminator.parameters);
  EXPECT_EQ(n.cells[0].report.generator.loss, fitness.of(wanted.generator.parameters, 1));
}

// Population-based training explores where a cell has copied another, and nowhere else.
TEST(Evolution, perturbs_the_rates_of_copies_alone) {
  for (const Period per : {Period::kGeneration, Period::kBatch}) {
    Settings settings = by_score();
    settings.operators.replacement = kGenerationalReplacement;
    settings.operators.rate_mutation = {{kPerturbRateMutation, {1.25, 1}}, per};
    std::set<double> of_copies;
    std::set<double> of_own;
    for (Generation g = 1; g <= 10; ++g) {
      Neighbourhood n(settings);
      const CellReport& report = n.evolve(g);
      const bool is_copy = report.generator.origin != n.cells[0].id;
      std::set<double>& rates = is_copy ? of_copies : of_own;
      rates.insert({report.generator.rate, report.discriminator.rate});
    }
    ASSERT_EQ(settings.generator.learning_rate, settings.discriminator.learning_rate);
    EXPECT_THAT(of_own, ElementsAre(settings.generator.learning_rate));
    EXPECT_GT(of_copies.size(), 1U);
  }
}

TEST(Evolution, selection_is_told_what_each_member_generates) {
  Settings settings = by_score();
  settings.operators.selection = {kNoveltySelection, {3, 1, 1}};
  settings.operators.replacement = kGenerationalReplacement;
  Neighbourhood n(settings);
  ScoreFitness fitness(testing::host(), settings, n.dataset, n.scorer);
  std::vector<double> scores;
  std::vector<Behaviour> behaviours;
  std::vector<CellId> cells;
  for (const Cell& cell : n.cells) {
    auto [score, behaviour] = fitness.with_behaviour(cell.centre.generator.parameters, 1);
    scores.push_back(score);
    behaviours.push_back(behaviour);
    cells.push_back(cell.id);
  }
  const Random random(settings.seed, Purpose::kSelection, {0}, 1);
  const std::size_t wanted =
      kNoveltySelection.select({scores, cells, random, NetworkRole::kGenerator, 1, behaviours},
                               std::vector<double>{3, 1, 1});
  const CellReport& report = n.evolve();
  EXPECT_EQ(report.generator.origin, cells[wanted]);
  EXPECT_EQ(report.discriminator.origin, cells[wanted]);
}

TEST(Evolution, an_elitist_cell_never_gets_a_worse_score) {
  Settings settings = by_score();
  settings.operators.selection = kNoSelection;
  settings.operators.replacement = kElitistReplacement;
  settings.generator.learning_rate = 0.5;  // far too much
  Neighbourhood n(settings);
  ScoreFitness fitness(testing::host(), settings, n.dataset, n.scorer);
  for (Generation g = 1; g <= 5; ++g) {
    const double before = fitness.of(n.cells[0].centre.generator.parameters, g);
    n.evolve(g);
    EXPECT_LE(fitness.of(n.cells[0].centre.generator.parameters, g), before);
  }
}

TEST(Evolution, interrupted_leaves_the_cell_as_it_was) {
  Neighbourhood n(testing::tiny_settings());
  const Pair before = n.cells[0].centre;
  Evolution evolution(testing::host(), n.settings, n.dataset, n.scorer, 1);
  const EvolutionJob job{&n.cells[0], testing::subpopulation(n.cells)};
  EXPECT_THROW(evolution.run(
                   {&job, 1}, 1, [](CellId) { FAIL(); }, [] { return false; }),
               Interrupted);
  EXPECT_EQ(n.cells[0].centre, before);
  EXPECT_EQ(n.cells[0].generation, 0U);
}

}  // namespace
}  // namespace lipizz::coev::evolution_test
