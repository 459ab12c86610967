#include "nn/programs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nn/support.hpp"

namespace lipizz::nn {
namespace {

constexpr std::uint32_t kBatch = 20;

// A generator and a discriminator in training against each other.
struct Pair {
  explicit Pair(const GanSpec& gan, std::uint64_t seed = 0)
      : g(testing::initial(gan.generator, 2 * seed)),
        d(testing::initial(gan.discriminator, 2 * seed + 1)),
        g_moments(2 * g.size()),
        d_moments(2 * d.size()) {}
  Buffer<float> g, d, g_moments, d_moments;
  bool operator==(const Pair&) const = default;
};

void train(const Engine& engine, const GanSpec& gan, std::vector<Pair>& pairs,
           std::uint32_t steps) {
  const auto n = static_cast<std::uint32_t>(pairs.size());
  GeneratorStep g_step(engine, gan, {}, kBatch, n);
  DiscriminatorStep d_step(engine, gan, {}, kBatch, n);
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (std::uint32_t m = 0; m < n; ++m) {
      Pair& p = pairs[m];
      g_step.bind(m, {p.g, p.g_moments, 1e-3f, 0, step}, p.d);
      std::ranges::copy(testing::normals(g_step.inputs(m).size(), 3 * step),
                        g_step.inputs(m).begin());
    }
    g_step.run();
    for (std::uint32_t m = 0; m < n; ++m) {
      Pair& p = pairs[m];
      d_step.bind(m, {p.d, p.d_moments, 1e-3f, 0, step}, p.g);
      std::ranges::copy(testing::normals(d_step.inputs(m).size(), 3 * step + 1),
                        d_step.inputs(m).begin());
      std::ranges::copy(testing::normals(d_step.real(m).size(), 3 * step + 2),
                        d_step.real(m).begin());
    }
    d_step.run();
  }
}

TEST(Programs, a_model_does_not_depend_on_its_neighbours_in_the_plan) {
  const GanSpec gan = make_model("mlp-2d");
  for (const Engine& engine : testing::engines()) {
    std::vector<Pair> together{Pair(gan, 1), Pair(gan, 2), Pair(gan, 3)};
    train(engine, gan, together, 4);
    for (std::uint32_t m = 0; m < 3; ++m) {
      std::vector<Pair> alone{Pair(gan, m + 1)};
      train(engine, gan, alone, 4);
      EXPECT_EQ(alone[0], together[m]) << to_string(engine.backend);
    }
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
