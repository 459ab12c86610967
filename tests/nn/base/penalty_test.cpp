#include "nn/base/penalty.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "core/error.hpp"
#include "nn/finite_differences.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/step_run.hpp"

namespace lipizz::nn::penalty_test {
namespace {

constexpr std::uint32_t kBatch = 5;

TEST(Penalties, equal_their_formulas) {
  for (double length = 0.1; length < 4; length += 0.3) {
    const double square = length * length;
    for (const auto name : {"wgan-gp", "dragan"}) {
      EXPECT_NEAR(find_penalty(name).term.value_f64(square), std::pow(length - 1, 2), 1e-10);
    }
    EXPECT_NEAR(find_penalty("r1").term.value_f64(square), square / 2, 1e-12);
  }
}

TEST(Penalties, have_true_slopes_in_both_precisions) {
  for (const Penalty& penalty : penalties()) {
    EXPECT_FALSE(penalty.summary.empty());
    const Loss::Term& term = penalty.term;
    for (double square = 0.1; square < 9; square += 0.37) {
      const double numeric = (term.value_f64(square + 1e-5) - term.value_f64(square - 1e-5)) / 2e-5;
      EXPECT_NEAR(term.slope_f64(square), numeric, 1e-8) << penalty.name;
      const auto narrow = static_cast<float>(square);
      EXPECT_NEAR(term.value(narrow), term.value_f64(narrow), 1e-5) << penalty.name;
      EXPECT_NEAR(term.slope(narrow), term.slope_f64(narrow), 1e-6) << penalty.name;
    }
  }
}

TEST(Penalties, a_misspelt_name_names_the_nearest) {
  EXPECT_EQ(find_penalty("dragan").where, Penalty::Where::kNearReal);
  try {
    find_penalty("wgan-pg");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("did you mean \"wgan-gp\""));
  }
}

GanSpec with_layer_norm(GanSpec gan) {
  for (Layer& layer : gan.discriminator.layers) {
    if (layer.kind == &kBatchNormLayer) layer.kind = &kLayerNormLayer;
  }
  return gan;
}

std::vector<GanSpec> pairs() {
  return {testing::tiny_gan(), testing::tiny_image_gan(),
          with_layer_norm(testing::tiny_image_gan())};
}

template <class T>
testing::StepRun<T> penalised_step(const Engine& engine, const GanSpec& gan,
                                   const Penalty& penalty) {
  testing::StepRun<T> run(
      engine, discriminator_step_graph(gan, testing::kPlainDescent, kBatch, {.penalty = &penalty}));
  run.draw();
  run.fill(*run.step().opponent, testing::initial(gan.generator, 3));
  return run;
}

TEST(Penalties, a_step_has_the_gradient_of_loss_and_penalty) {
  for (const Penalty& penalty : penalties()) {
    for (const GanSpec& gan : pairs()) {
      auto run = penalised_step<double>(testing::kReference, gan, penalty);
      const std::vector<double> parameters = testing::unsettled(gan.discriminator, 4);
      const std::size_t n = parameter_layout(gan.discriminator).n_parameters;
      std::vector<double> gradient = run.gradient(parameters);
      gradient.resize(n);
      EXPECT_GT(run.at(run.step().losses)[1], 0) << penalty.name;
      EXPECT_LE(testing::relative_l2(gradient, testing::slopes(run, parameters, n)), 1e-6)
          << penalty.name;
    }
  }
}

TEST(Penalties, engines_take_the_same_steps) {
  for (const Penalty& penalty : penalties()) {
    for (const GanSpec& gan : pairs()) {
      const std::vector<double> parameters = testing::unsettled(gan.discriminator, 4);
      const std::vector<double> judge =
          penalised_step<double>(testing::kReference, gan, penalty).gradient(parameters);
      for (const Engine& engine : testing::engines()) {
        const std::vector<float> found =
            penalised_step<float>(engine, gan, penalty).gradient(parameters);
        EXPECT_LT(testing::relative_l2(found, judge), 2e-5) << penalty.name;
      }
    }
  }
}

// Without weights no logit depends on a sample.
TEST(Penalties, stay_finite_where_a_derivative_vanishes) {
  for (const Penalty& penalty : penalties()) {
    for (const GanSpec& gan : pairs()) {
      const std::vector<float> zeros(parameter_layout(gan.discriminator).n_padded);
      for (const Engine& engine : testing::engines()) {
        auto run = penalised_step<float>(engine, gan, penalty);
        const double of_zero = 10 * penalty.term.value_f64(0);
        for (const float slope : run.gradient(zeros)) EXPECT_TRUE(std::isfinite(slope));
        EXPECT_NEAR(run.at(run.step().losses)[1], of_zero, 1e-4) << penalty.name;
      }
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::penalty_test
