#include "nn/train/step_graphs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "nn/finite_differences.hpp"
#include "nn/graph/operations.hpp"
#include "nn/step_run.hpp"

namespace lipizz::nn::step_graphs_test {
namespace {

// Products x^T dy that end in a weight gradient.
int weight_gradients(const Graph& graph) {
  int n = 0;
  for (const ValueId value : graph.live_operations()) {
    const Node& node = graph.node(value);
    n += node.operation == &kMatmul && node.attributes.transpose_a ? 1 : 0;
  }
  return n;
}

// The published MNIST step: 272.9 and 296.0 MFLOP of matrix products at batch 100.
TEST(GeneratorStep, computes_no_weight_gradient_of_the_discriminator) {
  const Graph graph = generator_step_graph(make_model("mlp"), {}, 100).graph;
  EXPECT_EQ(weight_gradients(graph), 3);
  EXPECT_NEAR(static_cast<double>(graph.flops()) / 1e6, 272.9, 1.5);
}

TEST(DiscriminatorStep, computes_no_gradient_of_the_generator_or_of_an_image) {
  const Graph graph = discriminator_step_graph(make_model("mlp"), {}, 100).graph;
  EXPECT_EQ(weight_gradients(graph), 3);
  EXPECT_NEAR(static_cast<double>(graph.flops()) / 1e6, 296.0, 1.5);
}

// By arithmetic; bench_step times it.
TEST(DiscriminatorStep, of_r3_tiny_costs_at_most_two_and_a_half_times_as_much_with_r1_and_r2) {
  for (const std::uint32_t extent : {28U, 32U, 64U}) {
    const GanSpec gan = make_model("r3-tiny", {.shape = {extent, extent, 3}});
    const auto n_operations = [&](const Penalty* penalty) {
      const StepOptions options{.penalty = penalty, .is_relativistic = true};
      return static_cast<double>(discriminator_step_graph(gan, {}, 16, options).graph.flops());
    };
    const double ratio = n_operations(&find_penalty("r1-r2")) / n_operations(nullptr);
    EXPECT_GT(ratio, 1.5) << extent;
    EXPECT_LE(ratio, 2.5) << extent;
  }
}

// Every read of what an update overwrites comes before it, and each tensor is updated once.
void expect_updates_after_reads(const StepGraph& step, std::size_t n_tensors) {
  const Graph& graph = step.graph;
  std::vector<ValueId> updated;
  for (const ValueId value : graph.live_operations()) {
    const Node& node = graph.node(value);
    for (const ValueId input : node.inputs) {
      EXPECT_FALSE(std::ranges::count(updated, input)) << node.operation->name;
    }
    if (node.operation == &kOptimizerStep) updated.push_back(node.inputs[0]);
  }
  EXPECT_EQ(updated.size(), n_tensors);
}

TEST(Steps, overwrite_a_tensor_once_nothing_reads_it_any_more) {
  const GanSpec gan = make_model("mlp");
  const std::size_t in_g = 2 * gan.generator.layers.size();
  const std::size_t in_d = 2 * gan.discriminator.layers.size();
  expect_updates_after_reads(generator_step_graph(gan, {}, 4), in_g);
  expect_updates_after_reads(discriminator_step_graph(gan, {}, 4), in_d);
  expect_updates_after_reads(classifier_step_graph(gan.generator, {}, 4), in_g);
}

TEST(Steps, update_the_last_layer_before_the_gradient_of_the_first) {
  const StepGraph step = generator_step_graph(make_model("mlp"), {}, 4);
  std::vector<const Operation*> order;
  for (const ValueId value : step.graph.live_operations()) {
    order.push_back(step.graph.node(value).operation);
  }
  const auto update = std::ranges::find(order, &kOptimizerStep);
  EXPECT_GT(std::count(update, order.end(), &kMatmul), 2);
}

// Those of all that it minimises, through what the discriminator sees.
void expect_generator_gradient(const GanSpec& gan, const StepOptions& options) {
  testing::StepRun<double> run(testing::kReference,
                               generator_step_graph(gan, testing::kPlainDescent, 4, options));
  run.draw(gan.n_classes());
  run.fill(*run.step().opponent, testing::unsettled(gan.discriminator, 3));
  const std::vector<double> parameters = testing::unsettled(gan.generator, 4);
  const std::size_t n = parameter_layout(gan.generator).n_parameters;
  std::vector<double> gradient = run.gradient(parameters);
  gradient.resize(n);
  EXPECT_LE(testing::relative_l2(gradient, testing::slopes(run, parameters, n)), 1e-6);
}

// Once all gradients are known: nothing that updates comes before the last of them.
TEST(Steps, ga3_parameters_are_updated_once_for_all_micro_batches) {
  const GanSpec gan = make_model("mlp");
  const NoSamples source(gan.sample());
  for (const std::uint32_t n_micro_batches : {2U, 4U}) {
    const StepGraph step =
        generator_step_graph(gan, {}, 8, {.n_micro_batches = n_micro_batches}, {.source = &source});
    std::size_t n_updated = 0;
    for (const ValueId value : step.graph.live_operations()) {
      const Node& node = step.graph.node(value);
      if (node.operation == &kOptimizerStep) {
        n_updated += n_elements(step.graph.shape(node.inputs[0]));
      } else {
        EXPECT_TRUE(n_updated == 0 || node.operation != &kMatmul) << "a gradient after an update";
      }
    }
    EXPECT_EQ(n_updated, parameter_layout(gan.generator).n_parameters);
  }
}

// Elements of moments that a rank keeps for a step.
std::size_t n_in_moments(const GanSpec& gan, const OptimizerSpec& optimizer, Collectives* ranks) {
  const NoSamples source(gan.sample());
  const StepGraph step = generator_step_graph(gan, optimizer, 8, {.n_micro_batches = 4},
                                              {.source = &source, .collectives = ranks});
  std::size_t n = 0;
  for (const SlotId moment : step.moments) n += step.graph.slots()[moment.index].n_elements;
  return n;
}

TEST(Steps, z3_ranks_share_out_the_moments) {
  const GanSpec gan = make_model("mlp");
  const ParameterLayout layout = parameter_layout(gan.generator);
  for (const OptimizerEntry& row : optimizers()) {
    const OptimizerSpec optimizer{.kind = find_optimizer(row.name)};
    EXPECT_EQ(n_in_moments(gan, optimizer, nullptr), row.n_moments * layout.n_padded);
    if (row.is_layerwise) continue;
    for (const std::uint32_t n_ranks : {1U, 2U, 4U}) {
      std::size_t n = 0;
      for (std::uint32_t rank = 0; rank < n_ranks; ++rank) {
        NoRanks ranks(n_ranks, rank);
        const std::size_t of_rank = n_in_moments(gan, optimizer, &ranks);
        EXPECT_LE(of_rank, row.n_moments * (layout.n_parameters / n_ranks + kShardBlock));
        n += of_rank;
      }
      EXPECT_EQ(n, row.n_moments * layout.n_parameters);
    }
  }
}

TEST(GeneratorStep, has_the_gradient_of_augmented_images) {
  for (const Augmentation& augmentation :
       {Augmentation{.has_color = true}, Augmentation{.has_translation = true},
        Augmentation{.has_cutout = true}, Augmentation{true, true, true}}) {
    expect_generator_gradient(testing::tiny_image_gan(), {.augmentation = augmentation});
  }
}

TEST(GeneratorStep, has_the_gradient_of_loss_and_absolute_error) {
  GanSpec paired = testing::tiny_gan();
  paired.n_condition_channels = 1;
  expect_generator_gradient(paired, {.l1_weight = 100});
}

TEST(GeneratorStep, keeps_an_average_of_what_it_has_made) {
  const GanSpec gan = testing::tiny_gan();
  testing::StepRun<double> run(
      testing::kReference,
      generator_step_graph(gan, testing::kPlainDescent, 4, {.average_decay = 0.5}));
  run.draw();
  run.loss(testing::unsettled(gan.generator, 4));
  const std::span<const double> made = run.at(run.step().parameters);
  for (std::size_t i = 0; i < made.size(); ++i) {  // a tenth of the zeros at the first step
    EXPECT_NEAR(run.at(*run.step().average)[i], 0.9 * made[i], 1e-12);
  }
}

}  // namespace
}  // namespace lipizz::nn::step_graphs_test
