#include "coev/fitness_evaluator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "coev/support.hpp"

namespace lipizz::coev::fitness_evaluator_test {
namespace {

using ::testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kSamples = 620;  // two whole chunks and a part of one

// A discriminator whose logit is the class alone.
TEST(FitnessEvaluator, evaluates_real_samples_by_their_classes_and_fakes_by_those_asked_for) {
  Settings settings = testing::class_conditional_settings();
  settings.model.discriminator.layers = {{.outputs = 1, .kind = &nn::kEmbeddingLayer}};
  settings.operators.fitness.loss = nn::find_loss("wasserstein");  // G: -l; D: l(fake) - l(real)
  const testing::ToyDataset dataset(50, testing::kTinyClasses);
  for (const auto& device : testing::devices()) {
    FitnessEvaluator evaluator(*device, settings, dataset);
    nn::Buffer<float> generator(nn::parameter_layout(settings.model.generator).n_padded);
    nn::Buffer<float> discriminator(nn::parameter_layout(settings.model.discriminator).n_padded);
    discriminator[0] = 1;
    discriminator[1] = 10;
    discriminator[2] = 100;
    const std::vector<std::span<const float>> g{generator};
    const std::vector<std::span<const float>> d{discriminator};
    evaluator.draw_batch({2}, 3, kSamples);
    const PairLosses table = evaluator.all_pairs(g, d);
    double real = 0;
    const Random drawn(settings.seed, Purpose::kFitnessSample, {2}, 3);
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      real += std::array{1, 10, 100}[drawn.below(50, i) % testing::kTinyClasses];
    }
    const double asked = (207 * 1 + 207 * 10 + 206 * 100) / double{kSamples};
    EXPECT_NEAR(table.generator[0], -asked, 1e-6);
    EXPECT_NEAR(table.fake[0], asked, 1e-6);
    EXPECT_NEAR(table.real[0], -real / kSamples, 1e-6);
  }
}

// Rows make pairs: the real sample of a row and the fake that asks for the row's class.
TEST(FitnessEvaluator, compares_pairs_under_a_relativistic_loss) {
  Settings settings = testing::class_conditional_settings();
  settings.model.discriminator.layers = {{.outputs = 1, .kind = &nn::kEmbeddingLayer}};
  settings.operators.fitness.loss = nn::find_loss("relativistic");
  const testing::ToyDataset dataset(50, testing::kTinyClasses);
  for (const auto& device : testing::devices()) {
    FitnessEvaluator evaluator(*device, settings, dataset);
    const nn::Buffer<float> generator(nn::parameter_layout(settings.model.generator).n_padded);
    nn::Buffer<float> discriminator(nn::parameter_layout(settings.model.discriminator).n_padded);
    constexpr std::array kLogits{0.5, -1.0, 2.0};
    std::ranges::copy(kLogits, discriminator.begin());
    const std::vector<std::span<const float>> g{generator};
    const std::vector<std::span<const float>> d{discriminator};
    evaluator.draw_batch({2}, 3, kSamples);
    double of_generator = 0;
    double of_discriminator = 0;
    const Random drawn(settings.seed, Purpose::kFitnessSample, {2}, 3);
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      const double real = kLogits[drawn.below(50, i) % testing::kTinyClasses];
      const double fake = kLogits[i % testing::kTinyClasses];
      of_generator += std::log1p(std::exp(real - fake)) / kSamples;
      of_discriminator += std::log1p(std::exp(fake - real)) / kSamples;
    }
    const PairLosses table = evaluator.all_pairs(g, d);
    EXPECT_NEAR(table.generator[0], of_generator, 1e-6);
    EXPECT_NEAR(table.fake[0] + table.real[0], of_discriminator, 1e-6);
    EXPECT_NEAR(evaluator.all_pairs_on_fakes(g, d).generator[0], of_generator, 1e-6);
  }
}

TEST(FitnessEvaluator, averages_a_discriminators_logits) {
  Settings settings = testing::tiny_settings();
  settings.model.discriminator = {{2}, {{3}}};  // 2 -> 3 logits
  settings.operators.fitness.loss = nn::find_loss("wasserstein");
  const testing::ToyDataset dataset(50);
  FitnessEvaluator evaluator(testing::host(), settings, dataset);
  const nn::Buffer<float> generator(nn::parameter_layout(settings.model.generator).n_padded);
  nn::Buffer<float> discriminator(nn::parameter_layout(settings.model.discriminator).n_padded);
  discriminator[6] = 1;  // biases
  discriminator[7] = 2;
  discriminator[8] = 6;
  const std::vector<std::span<const float>> g{generator};
  const std::vector<std::span<const float>> d{discriminator};
  evaluator.draw_batch({2}, 3, kSamples);
  EXPECT_NEAR(evaluator.all_pairs(g, d).real[0], -3, 1e-6);
  EXPECT_NEAR(evaluator.all_pairs(g, d).fake[0], 3, 1e-6);
}

// Conditions are those of the real samples.
TEST(FitnessEvaluator, evaluates_pairs_on_the_conditions_of_its_batch) {
  Settings settings = testing::paired_settings();
  settings.model.discriminator = {{1, 1, 2}, {{1}}};
  settings.operators.fitness.loss = nn::find_loss("wasserstein");
  const testing::ToyDataset dataset(50, 0, 1);
  FitnessEvaluator evaluator(testing::host(), settings, dataset);
  const nn::Buffer<float> generator(nn::parameter_layout(settings.model.generator).n_padded);
  nn::Buffer<float> discriminator(nn::parameter_layout(settings.model.discriminator).n_padded);
  discriminator[0] = 1;  // of the condition
  const std::vector<std::span<const float>> g{generator};
  const std::vector<std::span<const float>> d{discriminator};
  evaluator.draw_batch({2}, 3, kSamples);
  const PairLosses table = evaluator.all_pairs(g, d);
  EXPECT_EQ(table.fake[0], -table.real[0]);
  EXPECT_NE(table.fake[0], 0);
}

// Networks that a formula can follow: points z + shift, logits a x + b y + c.
struct AffineNetworks {
  Settings settings = testing::tiny_settings();
  testing::ToyDataset dataset{50};
  nn::Buffer<float> generators[2] = {testing::affine_generator(1, 0.5f, 0),
                                     testing::affine_generator(2, 0, -1)};
  nn::Buffer<float> discriminators[2];

  AffineNetworks() {
    settings.model = {testing::affine_network(), {{2}, {{1}}}};
    settings.operators.fitness.n_samples = kSamples;
    for (auto& d : discriminators) d.resize(nn::padded<float>(3));
    std::ranges::copy(std::vector<float>{1, 0, -0.5f}, discriminators[0].begin());
    std::ranges::copy(std::vector<float>{-0.5f, 2, 0.25f}, discriminators[1].begin());
  }
  std::vector<std::span<const float>> g() const { return {generators[0], generators[1]}; }
  std::vector<std::span<const float>> d() const { return {discriminators[0], discriminators[1]}; }

  double logit(int d, double x, double y) const {
    const nn::Buffer<float>& p = discriminators[d];
    return p[0] * x + p[1] * y + p[2];
  }
  // Mean over the batch's noise of a function of the logit.
  template <class F>
  double mean_fake(int g, int d, CellId cell, Generation generation, F f) const {
    const Random random(settings.seed, Purpose::kFitnessNoise, cell, generation);
    double sum = 0;
    for (std::uint32_t s = 0; s < kSamples; ++s) {
      float z[2];
      random.normals(s, 1, 2, z);
      const nn::Buffer<float>& p = generators[g];
      sum += f(logit(d, p[0] * z[0] + p[4], p[3] * z[1] + p[5]));
    }
    return sum / kSamples;
  }
  template <class F>
  double mean_real(int d, CellId cell, Generation generation, F f) const {
    const Random random(settings.seed, Purpose::kFitnessSample, cell, generation);
    double sum = 0;
    for (std::uint32_t s = 0; s < kSamples; ++s) {
      const std::uint32_t index = random.below(dataset.n_train(), s);
      float x[2];
      dataset.read_train({&index, 1}, x);
      sum += f(logit(d, x[0], x[1]));
    }
    return sum / kSamples;
  }
};

double minus_log_d(double logit) {
  return std::log1p(std::exp(-logit));
}
double minus_log_not_d(double logit) {
  return std::log1p(std::exp(logit));
}

TEST(FitnessEvaluator, of_every_pair_is_the_mean_loss_on_the_common_batch) {
  const AffineNetworks p;
  for (const auto& device : testing::devices()) {
    FitnessEvaluator evaluator(*device, p.settings, p.dataset);
    evaluator.draw_batch({2}, 5, kSamples);
    const PairLosses table = evaluator.all_pairs(p.g(), p.d());
    for (int g = 0; g < 2; ++g) {
      for (int d = 0; d < 2; ++d) {
        EXPECT_NEAR(table.generator[2 * g + d], p.mean_fake(g, d, {2}, 5, minus_log_d), 1e-6);
        EXPECT_NEAR(table.fake[2 * g + d], p.mean_fake(g, d, {2}, 5, minus_log_not_d), 1e-6);
      }
    }
    for (int d = 0; d < 2; ++d) {
      EXPECT_NEAR(table.real[d], p.mean_real(d, {2}, 5, minus_log_d), 1e-6);
    }
  }
}

TEST(FitnessEvaluator, is_under_the_common_loss_whatever_that_is) {
  AffineNetworks p;
  p.settings.operators.fitness.loss = nn::find_loss("mse");
  FitnessEvaluator evaluator(testing::host(), p.settings, p.dataset);
  evaluator.draw_batch({0}, 1, kSamples);
  const PairLosses table = evaluator.all_pairs(p.g(), p.d());
  const auto square_to_1 = [](double l) { return std::pow(1 / (1 + std::exp(-l)) - 1, 2); };
  EXPECT_NEAR(table.generator[1], p.mean_fake(0, 1, {0}, 1, square_to_1), 1e-6);
  EXPECT_NEAR(table.real[1], p.mean_real(1, {0}, 1, square_to_1), 1e-6);
}

TEST(FitnessEvaluator, of_a_pair_does_not_depend_on_who_else_plays) {
  const AffineNetworks p;
  for (const auto& device : testing::devices()) {
    FitnessEvaluator evaluator(*device, p.settings, p.dataset);
    evaluator.draw_batch({0}, 1, kSamples);
    const PairLosses all = evaluator.all_pairs(p.g(), p.d());
    const auto g = p.g();
    const auto d = p.d();
    const PairLosses one = evaluator.all_pairs(std::span(g).last(1), std::span(d).last(1));
    EXPECT_EQ(one.generator[0], all.generator[3]);
    EXPECT_EQ(one.fake[0], all.fake[3]);
    EXPECT_EQ(one.real[0], all.real[1]);
    EXPECT_EQ(evaluator.all_pairs_on_fakes(g, d).generator, all.generator);
  }
}

TEST(FitnessEvaluator, is_on_another_batch_for_every_cell_and_generation) {
  const AffineNetworks p;
  FitnessEvaluator evaluator(testing::host(), p.settings, p.dataset);
  const auto first_loss = [&](CellId cell, Generation generation) {
    evaluator.draw_batch(cell, generation, kSamples);
    const PairLosses table = evaluator.all_pairs(p.g(), p.d());
    return std::pair(table.generator[0], table.real[0]);
  };
  const auto here = first_loss({0}, 1);
  EXPECT_EQ(first_loss({0}, 1), here);
  for (const auto& other : {first_loss({1}, 1), first_loss({0}, 2)}) {
    EXPECT_NE(other.first, here.first);
    EXPECT_NE(other.second, here.second);
  }
}

TEST(FitnessEvaluator, of_a_broken_network_is_nan_and_leaves_the_others_alone) {
  AffineNetworks p;
  FitnessEvaluator evaluator(testing::host(), p.settings, p.dataset);
  evaluator.draw_batch({0}, 1, kSamples);
  const PairLosses before = evaluator.all_pairs(p.g(), p.d());
  p.generators[0][0] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<double> fitness =
      generator_fitness(evaluator.all_pairs(p.g(), p.d()), kAverageFitness);
  EXPECT_TRUE(std::isnan(fitness[0]));
  EXPECT_EQ(fitness[1], generator_fitness(before, kAverageFitness)[1]);
}

}  // namespace
}  // namespace lipizz::coev::fitness_evaluator_test
