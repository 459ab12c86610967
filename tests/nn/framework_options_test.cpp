#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nn/finite_differences.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/conditional.hpp"
#include "nn/network/layers/convolution.hpp"
#include "nn/network/layers/dropout.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/normalisation.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/layers/self_attention.hpp"
#include "nn/reference_table.hpp"
#include "nn/step_run.hpp"

// Steps of networks that know classes, norms, attention and pairs, with penalties and an absolute
// error, against another framework's: reference/*.txt were written by PyTorch.
namespace lipizz::nn::framework_options_test {
namespace {

using testing::kPlainDescent;
using testing::StepRun;
using testing::Table;

constexpr Window kThree{.kernel = 3, .stride = 1, .padding = 1};
constexpr auto kNone = Activation::kNone;
constexpr auto kLeaky = Activation::kLeakyRelu;
constexpr auto kTanh = Activation::kTanh;

// As reference/make_conditional_gan_gradients.py has it.
GanSpec conditional_gan() {
  NetworkSpec g{{4}, {}, &kUniform, 3};
  g.layers = {{12},
              {.kind = &kReshapeLayer, .shape = {2, 2, 3}},
              {.kind = &kBatchNormLayer, .has_bias = false},
              {.outputs = 3, .kind = &kEmbeddingLayer},
              {.outputs = 3, .kind = &kEmbeddingLayer},
              {.activation = kTanh, .kind = &kModulateLayer, .from = {3, 4, 5}},
              {.kind = &kUpsampleLayer, .window = {.kernel = 2}},
              {4, kNone, &kConvolutionLayer, kThree},
              {.activation = kLeaky, .kind = &kInstanceNormLayer},
              {2, kTanh, &kConvolutionLayer, kThree}};
  NetworkSpec d{{4, 4, 2}, {}, &kUniform, 3};
  d.layers = {{8, kLeaky, &kConvolutionLayer, kThree, true, true},
              {.kind = &kSelfAttentionLayer, .has_spectral_norm = true},
              {.activation = kTanh, .kind = &kLayerNormLayer},
              {.kind = &kSumPoolLayer, .window = {.kernel = 4}},
              {.outputs = 1, .has_spectral_norm = true},
              {.outputs = 8, .kind = &kEmbeddingLayer, .has_spectral_norm = true},
              {.kind = &kDotLayer, .from = {4, 6}},
              {.kind = &kAddLayer, .from = {5, 7}}};
  return {g, d};
}

// As reference/make_paired_gan_gradients.py has it.
GanSpec paired_gan() {
  constexpr Window kHalving{.kernel = 4, .stride = 2, .padding = 1};
  constexpr Window kSliding{.kernel = 4, .stride = 1, .padding = 1};
  NetworkSpec g{{8, 8, 1}, {}};
  g.layers = {{3, kNone, &kConvolutionLayer, kHalving, false},
              {.activation = kLeaky, .kind = &kActivationLayer},
              {4, Activation::kRelu, &kConvolutionLayer, kHalving, false},
              {3, kNone, &kTransposedConvolutionLayer, kHalving, false},
              {.kind = &kBatchNormLayer},
              {.kind = &kDropoutLayer, .rate = 0.5f},
              {.kind = &kConcatenateLayer, .from = {1, 6}},
              {.activation = Activation::kRelu, .kind = &kActivationLayer},
              {1, kTanh, &kTransposedConvolutionLayer, kHalving},
              {.kind = &kConcatenateLayer, .from = {0, 9}}};
  NetworkSpec d{{8, 8, 2}, {}};
  d.layers = {{3, kLeaky, &kConvolutionLayer, kHalving},
              {4, kNone, &kConvolutionLayer, kSliding, false},
              {.activation = kLeaky, .kind = &kBatchNormLayer},
              {1, kNone, &kConvolutionLayer, kSliding}};
  return {g, d, 1};
}

const Table& conditional_table() {
  static const Table table = testing::read_table("conditional_gan_gradients.txt");
  return table;
}

const Table& paired_table() {
  static const Table table = testing::read_table("paired_gan_gradients.txt");
  return table;
}

// A network's buffer as it was before the step.
std::vector<double> buffer(const NetworkSpec& network, const Table& table,
                           const std::string& name) {
  const ParameterLayout layout = parameter_layout(network);
  std::vector<double> all(layout.n_padded);
  const std::vector<double>& parameters = table.at(name);
  const std::vector<double>& statistics = table.at(name + ".statistics");
  EXPECT_EQ(parameters.size(), layout.n_parameters);
  std::ranges::copy(parameters, all.begin());
  const std::size_t offset = layout.statistics.front().offset;
  EXPECT_LE(offset + statistics.size(), layout.n_padded);
  std::ranges::copy(statistics, all.begin() + static_cast<std::ptrdiff_t>(offset));
  return all;
}

// Compares the results of a step of this network with the table.
template <class T>
void expect_result(StepRun<T>& run, const NetworkSpec& network, const Table& table,
                   const std::string& name, double tolerance) {
  SCOPED_TRACE(name);
  const ParameterLayout layout = parameter_layout(network);
  const std::vector<double>& statistics = table.at(name + ".statistics");
  EXPECT_LT(testing::relative_l2(run.at(run.step().losses), table.at(name + ".losses")), tolerance);
  EXPECT_LT(testing::relative_l2(run.at(run.step().moments[0]).first(layout.n_parameters),
                                 table.at(name + ".gradient")),
            tolerance);
  EXPECT_LT(testing::relative_l2(run.at(run.step().parameters)
                                     .subspan(layout.statistics.front().offset, statistics.size()),
                                 statistics),
            tolerance);
}

template <class T>
void expect_conditional_generator(const Engine& engine, double tolerance) {
  const GanSpec gan = conditional_gan();
  const Table& table = conditional_table();
  StepRun<T> run(engine, generator_step_graph(gan, kPlainDescent, 4));
  run.fill(*run.step().opponent, buffer(gan.discriminator, table, "discriminator"));
  run.fill(*run.step().inputs, table.at("noise"));
  run.fill(*run.step().labels, std::span(table.at("labels")).last(4));
  run.loss(buffer(gan.generator, table, "generator"));
  expect_result(run, gan.generator, table, "generator.step", tolerance);
}

template <class T>
void expect_conditional_discriminator(const Engine& engine, const std::string& penalty,
                                      double tolerance) {
  const GanSpec gan = conditional_gan();
  const Table& table = conditional_table();
  StepRun<T> run(
      engine, discriminator_step_graph(gan, kPlainDescent, 4, {.penalty = &find_penalty(penalty)}));
  run.fill(*run.step().opponent, buffer(gan.generator, table, "generator"));
  run.fill(*run.step().inputs, table.at("noise"));
  run.fill(*run.step().samples, table.at("real"));
  run.fill(*run.step().labels, table.at("labels"));
  for (const SlotId slot : run.step().uniforms) run.fill(slot, table.at("between"));
  run.loss(buffer(gan.discriminator, table, "discriminator"));
  expect_result(run, gan.discriminator, table, penalty, tolerance);
}

template <class T>
void expect_paired_generator(const Engine& engine, double tolerance) {
  const GanSpec gan = paired_gan();
  const Table& table = paired_table();
  StepRun<T> run(engine, generator_step_graph(gan, kPlainDescent, 3, {.l1_weight = 100}));
  run.fill(*run.step().opponent, buffer(gan.discriminator, table, "discriminator"));
  run.fill(*run.step().inputs, table.at("condition"));
  run.fill(*run.step().samples, table.at("real"));
  run.fill(run.step().uniforms.at(0), table.at("uniforms"));
  run.loss(buffer(gan.generator, table, "generator"));
  expect_result(run, gan.generator, table, "generator.step", tolerance);
}

template <class T>
void expect_paired_discriminator(const Engine& engine, double tolerance) {
  const GanSpec gan = paired_gan();
  const Table& table = paired_table();
  StepRun<T> run(engine, discriminator_step_graph(gan, kPlainDescent, 3,
                                                  {.penalty = &find_penalty("dragan")}));
  run.fill(*run.step().opponent, buffer(gan.generator, table, "generator"));
  run.fill(*run.step().inputs, table.at("condition"));
  run.fill(*run.step().samples, table.at("real"));
  run.fill(run.step().uniforms.at(0), table.at("uniforms"));
  run.fill(run.step().uniforms.at(1), table.at("around"));
  run.loss(buffer(gan.discriminator, table, "discriminator"));
  expect_result(run, gan.discriminator, table, "discriminator.step", tolerance);
}

// The momentum of running statistics is a float with us.
constexpr double kInDouble = 1e-8;
constexpr double kInFloat = 1e-5;

TEST(FrameworkOptions, a_conditional_generator_takes_its_step) {
  expect_conditional_generator<double>(testing::kReference, kInDouble);
  for (const Engine& engine : testing::engines()) {
    expect_conditional_generator<float>(engine, kInFloat);
  }
}

TEST(FrameworkOptions, a_penalised_discriminator_with_attention_takes_its_step) {
  for (const auto* penalty : {"wgan-gp", "r1"}) {
    expect_conditional_discriminator<double>(testing::kReference, penalty, kInDouble);
    for (const Engine& engine : testing::engines()) {
      expect_conditional_discriminator<float>(engine, penalty, kInFloat);
    }
  }
}

TEST(FrameworkOptions, a_pair_of_unet_and_patches_takes_its_steps) {
  expect_paired_generator<double>(testing::kReference, kInDouble);
  expect_paired_discriminator<double>(testing::kReference, kInDouble);
  for (const Engine& engine : testing::engines()) {
    expect_paired_generator<float>(engine, kInFloat);
    expect_paired_discriminator<float>(engine, kInFloat);
  }
}

}  // namespace
}  // namespace lipizz::nn::framework_options_test
