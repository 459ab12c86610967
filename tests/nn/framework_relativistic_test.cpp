#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nn/finite_differences.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/reference_table.hpp"
#include "nn/step_run.hpp"

// Steps with the relativistic loss and the penalties R1 and R2 of R3GAN, through grouped
// convolutions, against another framework's (reference/relativistic_gan_gradients.txt was written
// by PyTorch) and against finite differences.
namespace lipizz::nn::framework_relativistic_test {
namespace {

using testing::kPlainDescent;
using testing::StepRun;
using testing::Table;

constexpr std::uint32_t kBatch = 4;
constexpr auto kLeaky = Activation::kLeakyRelu;

// The layers of a residual block on top of layer `input`.
void add_block(std::vector<Layer>& layers, std::uint32_t input) {
  layers.push_back({8, kLeaky, &kConvolutionLayer});
  layers.push_back({8, kLeaky, &kConvolutionLayer, {.kernel = 3, .padding = 1, .groups = 2}});
  layers.push_back({.outputs = 4, .kind = &kConvolutionLayer, .has_bias = false});
  layers.push_back({.kind = &kAddLayer, .from = {input, input + 3}});
}

// As reference/make_relativistic_gan_gradients.py has it.
GanSpec residual_gan() {
  constexpr Window kWhole{.kernel = 4, .groups = 4};
  NetworkSpec g{{3}, {}};
  g.layers = {{.outputs = 4, .has_bias = false},
              {.kind = &kReshapeLayer, .shape = {1, 1, 4}},
              {4, Activation::kNone, &kTransposedConvolutionLayer, kWhole, false}};
  add_block(g.layers, 3);
  g.layers.push_back({2, Activation::kTanh, &kConvolutionLayer});
  NetworkSpec d{{4, 4, 2}, {}};
  d.layers = {{.outputs = 4, .kind = &kConvolutionLayer, .has_bias = false}};
  add_block(d.layers, 1);
  d.layers.push_back({4, Activation::kNone, &kConvolutionLayer, kWhole, false});
  d.layers.push_back({.outputs = 1, .has_bias = false});
  return {g, d};
}

const Table& table() {
  static const Table table = testing::read_table("relativistic_gan_gradients.txt");
  return table;
}

StepOptions options() {
  return {.penalty = &find_penalty("r1-r2"), .penalty_weight = 3, .is_relativistic = true};
}

template <class T>
void tell_loss(StepRun<T>& run) {
  run.at(run.step().settings)[StepSettings::kLoss] = static_cast<T>(find_loss("relativistic"));
}

std::vector<double> padded_buffer(const NetworkSpec& network, const std::string& name) {
  std::vector<double> all = table().at(name);
  const ParameterLayout layout = parameter_layout(network);
  EXPECT_EQ(all.size(), layout.n_parameters);
  all.resize(layout.n_padded);
  return all;
}

template <class T>
void expect_step(StepRun<T>& run, const NetworkSpec& trained, const NetworkSpec& opponent,
                 const std::string& name, const std::string& other, double tolerance) {
  SCOPED_TRACE(name);
  tell_loss(run);
  run.fill(*run.step().opponent, padded_buffer(opponent, other));
  run.fill(*run.step().inputs, table().at("noise"));
  run.fill(*run.step().samples, table().at("real"));
  run.loss(padded_buffer(trained, name));
  const std::size_t n = parameter_layout(trained).n_parameters;
  EXPECT_LT(testing::relative_l2(run.at(run.step().losses), table().at(name + ".step.losses")),
            tolerance);
  EXPECT_LT(testing::relative_l2(run.at(run.step().moments[0]).first(n),
                                 table().at(name + ".step.gradient")),
            tolerance);
}

template <class T>
void expect_steps(const Engine& engine, double tolerance) {
  const GanSpec gan = residual_gan();
  StepRun<T> generator(engine, generator_step_graph(gan, kPlainDescent, kBatch, options()));
  expect_step(generator, gan.generator, gan.discriminator, "generator", "discriminator", tolerance);
  StepRun<T> discriminator(engine, discriminator_step_graph(gan, kPlainDescent, kBatch, options()));
  expect_step(discriminator, gan.discriminator, gan.generator, "discriminator", "generator",
              tolerance);
}

TEST(RelativisticSteps, are_another_framework_s) {
  expect_steps<double>(testing::kReference, 1e-8);
  for (const Engine& engine : testing::engines()) expect_steps<float>(engine, 1e-5);
}

void expect_gradient(StepRun<double>& run, const NetworkSpec& trained, const NetworkSpec& other) {
  tell_loss(run);
  run.draw(trained.n_classes);
  run.fill(*run.step().opponent, testing::unsettled(other, 3));
  const std::vector<double> parameters = testing::unsettled(trained, 4);
  const std::size_t n = parameter_layout(trained).n_parameters;
  std::vector<double> gradient = run.gradient(parameters);
  gradient.resize(n);
  EXPECT_LE(testing::relative_l2(gradient, testing::slopes(run, parameters, n)), 1e-6);
}

TEST(RelativisticSteps, have_the_slopes_of_their_losses) {
  const GanSpec gan = residual_gan();
  for (const std::string_view penalty : {"r1", "r1-r2"}) {
    StepOptions how = options();
    how.penalty = &find_penalty(penalty);
    StepRun<double> run(testing::kReference,
                        discriminator_step_graph(gan, kPlainDescent, kBatch, how));
    expect_gradient(run, gan.discriminator, gan.generator);
  }
  StepRun<double> run(testing::kReference,
                      generator_step_graph(gan, kPlainDescent, kBatch, options()));
  expect_gradient(run, gan.generator, gan.discriminator);
}

// Half way the weight is the mean of its ends, and so is the second of the step's losses.
TEST(RelativisticSteps, weigh_the_penalty_by_the_progress_of_its_schedule) {
  const GanSpec gan = residual_gan();
  StepOptions how = options();
  how.penalty_change = -2;
  StepRun<double> run(testing::kReference,
                      discriminator_step_graph(gan, kPlainDescent, kBatch, how));
  tell_loss(run);
  run.draw();
  run.fill(*run.step().opponent, testing::unsettled(gan.generator, 3));
  const auto penalty_at = [&](double progress) {
    run.at(run.step().settings)[StepSettings::kProgress] = progress;
    run.loss(testing::unsettled(gan.discriminator, 4));
    return run.at(run.step().losses)[1];
  };
  const double at_start = penalty_at(0);
  EXPECT_GT(at_start, 0);
  EXPECT_NEAR(penalty_at(0.5), at_start * 2 / 3, 1e-12);
  EXPECT_NEAR(penalty_at(1), at_start / 3, 1e-12);
}

}  // namespace
}  // namespace lipizz::nn::framework_relativistic_test
