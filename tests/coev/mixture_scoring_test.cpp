#include "coev/mixture_scoring.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "coev/mixture_weighting/recall.hpp"
#include "coev/support.hpp"

namespace lipizz::coev::mixture_scoring_test {
namespace {

// A cell whose mixture draws from two points; the target lies between them, three parts to one.
struct Ensemble {
  Settings settings = testing::tiny_settings();
  testing::ToyDataset dataset{10};
  testing::MeanScorer scorer{0.25, 0};
  nn::Buffer<float> left = testing::affine_generator(0, 0, 0);
  nn::Buffer<float> right = testing::affine_generator(0, 1, 0);
  std::vector<std::span<const float>> generators{left, right};
  Cell cell;

  Ensemble() {
    settings.model.generator = testing::affine_network();
    settings.operators.mixture = {kEvolutionStrategyWeighting, {0.05, 200}};
    cell.id = {3};
    cell.mixture = {{{3}, {4}}, {0.5, 0.5}};
  }
  MixtureScoring scoring() { return {testing::host(), settings, dataset, scorer}; }
};

TEST(MixtureScoring, evolves_the_weights_that_the_score_wants) {
  Ensemble e;
  e.settings.score.n_samples_training = 1000;
  e.scoring().score_generation(e.cell, e.generators, 1);
  EXPECT_NEAR(e.cell.mixture.weights[0], 0.75, 0.01);
  EXPECT_NEAR(e.cell.report.score, 0, 2e-4);
}

TEST(MixtureScoring, finds_the_same_score_for_the_same_weights) {
  Ensemble e;
  e.left = testing::affine_generator(1, 0, 0);  // the noise counts now
  e.generators[0] = e.left;
  e.settings.operators.mixture = {kEvolutionStrategyWeighting, {0, 10}};
  e.scoring().score_generation(e.cell, e.generators, 1);
  const double first = e.cell.report.score;
  EXPECT_EQ(e.cell.mixture.weights, (std::vector<double>{0.5, 0.5}));
  e.scoring().score_generation(e.cell, e.generators, 1);
  EXPECT_EQ(e.cell.report.score, first);
}

TEST(MixtureScoring, never_ends_worse_in_closed_form_than_it_began) {
  Ensemble e;
  e.left = testing::affine_generator(3, 0, 0);
  e.generators[0] = e.left;
  const auto closed_form = [&] {  // the mean of both lists, weighted
    const Random noise(e.settings.seed, Purpose::kScoreNoise, e.cell.id, 1);
    std::vector<float> z(2 * e.settings.score.n_samples_training);
    noise.normals(0, e.settings.score.n_samples_training, 2, z);
    double x = 0;
    double y = 0;
    for (std::size_t i = 0; i < z.size(); i += 2) {
      x += 3 * z[i];
      y += 3 * z[i + 1];
    }
    const double w = e.cell.mixture.weights[0] / e.settings.score.n_samples_training;
    const double dx = w * x + e.cell.mixture.weights[1] - 0.25;
    return dx * dx + w * y * w * y;
  };
  const double before = closed_form();
  e.scoring().score_generation(e.cell, e.generators, 1);
  EXPECT_LT(closed_form(), before);
}

TEST(MixtureScoring, generates_each_sample_once) {
  Ensemble e;
  e.scoring().score_generation(e.cell, e.generators, 1);
  EXPECT_EQ(e.scorer.n_featured, 2 * e.settings.score.n_samples_training);
  EXPECT_EQ(e.cell.report.score_details[0].value, e.settings.score.n_samples_training);
}

TEST(MixtureScoring, scores_the_end_on_as_many_samples_as_asked) {
  Ensemble e;
  e.scoring().score_final(e.cell, e.generators, 2);
  EXPECT_EQ(e.cell.report.score_details[0].value, e.settings.score.n_samples);
}

TEST(MixtureScoring, leaves_equal_weights_where_they_do_not_evolve) {
  Ensemble e;
  e.settings.operators.mixture = kEqualWeighting;
  e.scoring().score_generation(e.cell, e.generators, 1);
  EXPECT_EQ(e.cell.mixture.weights, (std::vector<double>{0.5, 0.5}));
  EXPECT_DOUBLE_EQ(e.cell.report.score, 0.0625);  // (0.5 - 0.25)^2
  EXPECT_EQ(e.scorer.n_featured, e.settings.score.n_samples_training);
}

// Real points lie around the target; the right generator makes one point alone.
TEST(MixtureScoring, weighs_members_by_their_recall) {
  Ensemble e;
  e.settings.operators.mixture = kRecallWeighting;
  e.left = testing::affine_generator(1, 0.25, 0);
  e.generators[0] = e.left;
  e.scoring().score_generation(e.cell, e.generators, 1);
  EXPECT_EQ(e.cell.mixture.weights, (std::vector<double>{1, 0}));
  EXPECT_EQ(e.scorer.n_featured, 2 * e.settings.score.n_samples_training);
  e.generators[0] = e.right;
  e.scoring().score_generation(e.cell, e.generators, 1);
  EXPECT_EQ(e.cell.mixture.weights, (std::vector<double>{0.5, 0.5}));
}

TEST(MixtureScoring, shows_the_generators_in_exact_proportion_and_random_order) {
  Ensemble e;
  e.cell.mixture.weights = {0.25, 0.75};
  const std::vector<float> samples = e.scoring().samples(e.cell, e.generators, 40);
  std::vector<float> x;
  for (std::size_t i = 0; i < samples.size(); i += 2) x.push_back(samples[i]);
  EXPECT_EQ(std::ranges::count(x, 0.0f), 10);
  EXPECT_EQ(std::ranges::count(x, 1.0f), 30);
  EXPECT_FALSE(std::ranges::is_sorted(x));
}

}  // namespace
}  // namespace lipizz::coev::mixture_scoring_test
