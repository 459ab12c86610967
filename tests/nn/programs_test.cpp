#include "nn/programs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nn/layers/resampling.hpp"
#include "nn/models/residual.hpp"
#include "nn/support.hpp"

namespace lipizz::nn {
namespace {

constexpr std::uint32_t kBatch = 20;

// What is trained, and how.
struct Training {
  GanSpec gan;
  std::uint32_t batch = kBatch;
  StepOptions options{};
};

// A generator and a discriminator in training against each other.
struct Pair {
  explicit Pair(const GanSpec& gan, std::uint64_t its_seed = 0)
      : seed(its_seed),
        g(testing::initial(gan.generator, 2 * seed)),
        d(testing::initial(gan.discriminator, 2 * seed + 1)),
        g_moments(2 * g.size()),
        d_moments(2 * d.size()),
        average(g) {}
  std::uint64_t seed;
  Buffer<float> g, d, g_moments, d_moments, average;
  bool operator==(const Pair&) const = default;
};

void fill(std::span<float> values, std::uint32_t key) {
  std::ranges::copy(testing::normals(values.size(), key), values.begin());
}

// One class after the other, each pair beginning with its own.
void fill_labels(std::span<float> labels, const GanSpec& gan, std::uint64_t first) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<float>((first + i) % gan.n_classes());
  }
}

void train(const Engine& engine, const Training& training, std::vector<Pair>& pairs,
           std::uint32_t steps) {
  const auto& [gan, batch, options] = training;
  const auto n = static_cast<std::uint32_t>(pairs.size());
  GeneratorStep g_step(engine, gan, {}, batch, n, options);
  DiscriminatorStep d_step(engine, gan, {}, batch, n, options);
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (std::uint32_t m = 0; m < n; ++m) {
      Pair& p = pairs[m];
      g_step.bind(m, {p.g, p.g_moments, 1e-3f, 0, step, p.average}, p.d);
      fill(g_step.inputs(m), 3 * step);
      fill(g_step.real(m), 3 * step + 2);
      fill_labels(g_step.labels(m), gan, p.seed);
      g_step.draw(m, Random(p.seed, Purpose::kGeneratorUniforms), step);
    }
    g_step.run();
    for (std::uint32_t m = 0; m < n; ++m) {
      Pair& p = pairs[m];
      d_step.bind(m, {p.d, p.d_moments, 1e-3f, 0, step}, p.g);
      fill(d_step.inputs(m), 3 * step + 1);
      fill(d_step.real(m), 3 * step + 2);
      fill_labels(d_step.labels(m), gan, p.seed);
      d_step.draw(m, Random(p.seed, Purpose::kDiscriminatorUniforms), step);
    }
    d_step.run();
  }
}

void train(const Engine& engine, const GanSpec& gan, std::vector<Pair>& pairs,
           std::uint32_t steps) {
  train(engine, Training{gan}, pairs, steps);
}

// sngan32 made small: residual blocks, classes, spectral norm.
GanSpec small_residual_gan() {
  constexpr std::uint32_t kChannels = 8;
  ResidualBuilder g({{5}, {}, &kGlorotUniform, 3}, false);
  g.linear(2 * 2 * kChannels);
  g.reshape({2, 2, kChannels});
  g.up_block(kChannels, g.last());
  g.up_block(kChannels, g.last());
  g.norm();
  g.convolution3(3);
  g.add({.activation = Activation::kTanh, .kind = &kActivationLayer});
  ResidualBuilder d({{8, 8, 3}, {}, &kGlorotUniform, 3}, true);
  d.first_down_block(kChannels);
  d.block(kChannels, true);
  d.block(kChannels, false);
  d.relu();
  const std::uint32_t features = d.resample(kSumPoolLayer, 2);
  d.linear(1);
  d.project(features, kChannels);
  return {g.take(), d.take()};
}

// Everything that a step may do beside its loss.
std::vector<Training> with_options() {
  const Augmentation all{true, true, true};
  return {{small_residual_gan(), 4, {.augmentation = all, .average_decay = 0.9}},
          {small_residual_gan(), 4, {.penalty = &find_penalty("r1")}},
          {testing::tiny_image_gan(), 4, {.penalty = &find_penalty("wgan-gp")}},
          {testing::tiny_image_gan(), 4, {.penalty = &find_penalty("dragan")}},
          {make_model("pix2pix32"), 2, {.augmentation = all, .l1_weight = 100}}};
}

void expect_independent_models(const Engine& engine, const Training& training) {
  const GanSpec& gan = training.gan;
  std::vector<Pair> together{Pair(gan, 1), Pair(gan, 2), Pair(gan, 3)};
  train(engine, training, together, 2);
  for (std::uint32_t m = 0; m < 3; ++m) {
    std::vector<Pair> alone{Pair(gan, m + 1)};
    train(engine, training, alone, 2);
    EXPECT_EQ(alone[0], together[m]) << to_string(engine.backend);
  }
}

TEST(Programs, a_model_does_not_depend_on_its_neighbours_in_the_plan) {
  for (const Engine& engine : testing::engines()) {
    expect_independent_models(engine, {make_model("mlp-2d")});
    for (const Training& training : with_options()) expect_independent_models(engine, training);
  }
}

TEST(Programs, engines_take_the_same_steps_with_options) {
  for (const Training& training : with_options()) {
    std::vector<Pair> judge{Pair(training.gan)};
    train({}, training, judge, 1);
    for (const Engine& engine : testing::engines()) {
      std::vector<Pair> other{Pair(training.gan)};
      train(engine, training, other, 1);
      EXPECT_LT(testing::relative_l2(other[0].g_moments, judge[0].g_moments), 5e-5);
      EXPECT_LT(testing::relative_l2(other[0].d_moments, judge[0].d_moments), 5e-5);
      EXPECT_EQ(training.options.average_decay > 0, judge[0].average != Pair(training.gan).average);
    }
  }
}

// Each of what it is handed changes a step: none is left unread.
TEST(Programs, labels_real_samples_and_random_numbers_change_a_step) {
  const Training paired = with_options().back();
  const Training conditional = with_options().front();
  const auto after = [](const Training& training, auto change) {
    Pair p(training.gan);
    GeneratorStep step({}, training.gan, {}, training.batch, 1, training.options);
    step.bind(0, {p.g, p.g_moments, 1e-3f, 0, 0, p.average}, p.d);
    fill(step.inputs(0), 1);
    fill(step.real(0), 2);
    step.draw(0, Random(1, Purpose::kTest), 0);
    change(step);
    step.run();
    return step.loss(0);
  };
  const auto nothing = [](GeneratorStep&) {};
  EXPECT_NE(after(conditional, nothing),
            after(conditional, [](GeneratorStep& s) { s.labels(0)[0] = 1; }));
  EXPECT_NE(after(paired, nothing), after(paired, [](GeneratorStep& s) { s.real(0)[1] += 9; }));
  for (const Training& training : {paired, conditional}) {
    EXPECT_NE(after(training, nothing),
              after(training, [](GeneratorStep& s) { s.draw(0, Random(1, Purpose::kTest), 1); }));
  }
}

TEST(Programs, engines_take_the_same_steps_with_convolutions) {
  for (const GanSpec& gan : {testing::tiny_image_gan(), make_model("dcgan28")}) {
    std::vector<Pair> judge{Pair(gan)};
    train({}, gan, judge, 1);
    for (const Engine& engine : testing::engines()) {
      std::vector<Pair> other{Pair(gan)};
      train(engine, gan, other, 1);
      EXPECT_LT(testing::relative_l2(other[0].g_moments, judge[0].g_moments), 5e-5);
      EXPECT_LT(testing::relative_l2(other[0].d_moments, judge[0].d_moments), 5e-5);
      const std::size_t statistics = parameter_layout(gan.discriminator).statistics.front().offset;
      EXPECT_LT(testing::relative_l2(std::span(other[0].d).subspan(statistics),
                                     std::span(judge[0].d).subspan(statistics)),
                1e-6);
    }
  }
}

TEST(Programs, engines_take_the_same_steps) {
  const GanSpec gan = make_model("mlp");
  std::vector<Pair> judge{Pair(gan)};
  train({}, gan, judge, 1);
  for (const Engine& engine : testing::engines()) {
    std::vector<Pair> other{Pair(gan)};
    train(engine, gan, other, 1);
    // The first moment is a tenth part of the gradient: compare that, not Adam's signed steps.
    EXPECT_LT(testing::relative_l2(other[0].g_moments, judge[0].g_moments), 2e-6);
    EXPECT_LT(testing::relative_l2(other[0].d_moments, judge[0].d_moments), 2e-6);
  }
}

TEST(Programs, a_generator_step_leaves_the_discriminator_alone_and_the_padding_zero) {
  const GanSpec gan = make_model("mlp-2d");
  for (const Engine& engine : testing::engines()) {
    std::vector<Pair> pairs{Pair(gan)};
    const Pair before = pairs[0];
    GeneratorStep step(engine, gan, {}, kBatch, 1);
    step.bind(0, {pairs[0].g, pairs[0].g_moments, 1e-3f, 0, 0}, pairs[0].d);
    step.run();
    EXPECT_EQ(pairs[0].d, before.d);
    EXPECT_NE(pairs[0].g, before.g);
    const std::size_t n = parameter_layout(gan.generator).n_parameters;
    EXPECT_TRUE(std::all_of(pairs[0].g.begin() + static_cast<std::ptrdiff_t>(n), pairs[0].g.end(),
                            [](float v) { return v == 0; }));
  }
}

TEST(Programs, a_row_of_an_inference_depends_on_that_row_alone) {
  const GanSpec gan = make_model("mlp");
  const Buffer<float> g = testing::initial(gan.generator, 5);
  for (const Engine& engine : testing::engines()) {
    Inference run(engine, gan.generator, 8, 1);
    Buffer<float> z = testing::normals(8 * 64, 1);
    Buffer<float> first(8 * 784);
    Buffer<float> second(8 * 784);
    run.bind(0, g, z, first);
    run.run();
    std::ranges::copy(testing::normals(7 * 64, 2), z.begin() + 64);  // all rows but the first
    run.bind(0, g, z, second);
    run.run();
    EXPECT_TRUE(std::equal(first.begin(), first.begin() + 784, second.begin()));
    EXPECT_FALSE(std::equal(first.begin() + 784, first.end(), second.begin() + 784));
  }
}

TEST(Programs, an_inference_can_end_at_an_inner_layer) {
  const NetworkSpec network{{4}, {{3, Activation::kRelu}, {2}}};
  const Buffer<float> p = testing::initial(network, 5);
  const Buffer<float> x = testing::normals(2 * 4, 1);
  Buffer<float> hidden(2 * 3);
  Inference run({}, network, 2, 1, 1);
  run.bind(0, p, x, hidden);
  run.run();
  for (int row = 0; row < 2; ++row) {
    for (int j = 0; j < 3; ++j) {
      double sum = p[12 + j];
      for (int i = 0; i < 4; ++i) sum += double{x[4 * row + i]} * p[3 * i + j];
      EXPECT_NEAR(hidden[3 * row + j], std::max(0.0, sum), 1e-6);
    }
  }
}

TEST(Programs, a_classifier_learns_to_tell_two_halves_of_the_plane_apart) {
  const NetworkSpec network{{2}, {{16, Activation::kRelu}, {2}}};
  for (const Engine& engine : testing::engines()) {
    Buffer<float> p = testing::initial(network, 1);
    Buffer<float> moments(2 * p.size());
    ClassifierStep step(engine, network, {.beta1 = 0.9}, 50);
    float first = 0;
    for (std::uint32_t i = 0; i < 200; ++i) {
      std::ranges::copy(testing::normals(100, i), step.input().begin());
      for (int row = 0; row < 50; ++row) {
        step.labels()[row] = step.input()[2 * row] > step.input()[2 * row + 1] ? 1.0f : 0.0f;
      }
      step.bind({p, moments, 1e-2f, 0, i});
      step.run();
      if (i == 0) first = step.loss();
    }
    EXPECT_GT(first, 0.5f);
    EXPECT_LT(step.loss(), 0.15f);
  }
}

}  // namespace
}  // namespace lipizz::nn
