#include "nn/gradients.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "core/error.hpp"
#include "nn/loss.hpp"
#include "nn/operations.hpp"
#include "nn/plan.hpp"
#include "nn/support.hpp"
#include "nn/training_graphs.hpp"

namespace lipizz::nn {
namespace {

constexpr Engine kReference{Backend::kReference, NumericsLevel::kBaseline};

// A network's loss as a graph in double, with its gradients in one slot.
struct LossGraph {
  Graph graph;
  SlotId parameters, opponent, input, other, gradients, loss;
  std::size_t n_padded;
};

// Makes `loss` and its gradients by the parameters of `network` results of the graph.
void finish(LossGraph& l, const NetworkSpec& network, ValueId loss) {
  const ParameterLayout layout = parameter_layout(network);
  l.n_padded = layout.n_padded;
  l.gradients = l.graph.add_slot("gradients", layout.n_padded, Slot::Access::kReadWrite);
  l.loss = l.graph.add_slot("loss", 1, Slot::Access::kReadWrite);
  const auto gradients =
      add_gradients(l.graph, loss, parameter_values(l.graph, network, l.parameters));
  const SlotId zeros = l.graph.add_slot("0", layout.n_parameters, Slot::Access::kInternal);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    // A sum, since a part of a value cannot be placed.
    const ValueId none = l.graph.view(zeros, 0, layout.blocks[i].shape);
    l.graph.place(l.graph.apply(kAdd, {gradients[i], none}), l.gradients, layout.blocks[i].offset);
  }
  l.graph.place(loss, l.loss, 0);
}

LossGraph generator_graph(const GanSpec& gan, std::uint32_t batch) {
  LossGraph l;
  Graph& g = l.graph;
  l.parameters =
      g.add_slot("g", parameter_layout(gan.generator).n_padded, Slot::Access::kReadWrite);
  l.opponent = g.add_slot("d", parameter_layout(gan.discriminator).n_padded, Slot::Access::kRead);
  l.input = g.add_slot("z", std::size_t{batch} * gan.latent(), Slot::Access::kRead);
  l.other = g.add_slot("loss id", 1, Slot::Access::kRead);
  const ValueId fakes = add_network(g, gan.generator, l.parameters,
                                    g.view(l.input, 0, {batch, gan.latent()}), Mode::kTraining);
  const ValueId logits = add_network(g, gan.discriminator, l.opponent, fakes, Mode::kFrozen);
  finish(l, gan.generator, g.apply(kGeneratorLoss, {logits, g.view(l.other, 0, {1})}));
  return l;
}

LossGraph discriminator_graph(const GanSpec& gan, std::uint32_t batch) {
  LossGraph l;
  Graph& g = l.graph;
  l.parameters =
      g.add_slot("d", parameter_layout(gan.discriminator).n_padded, Slot::Access::kReadWrite);
  l.opponent = l.parameters;
  l.input = g.add_slot("x", std::size_t{batch} * gan.sample(), Slot::Access::kRead);
  l.other = g.add_slot("loss id", 1, Slot::Access::kRead);
  const ValueId logits = add_network(g, gan.discriminator, l.parameters,
                                     g.view(l.input, 0, {batch, gan.sample()}), Mode::kTraining, 2);
  finish(l, gan.discriminator, g.apply(kDiscriminatorLoss, {logits, g.view(l.other, 0, {1})}));
  return l;
}

LossGraph classifier_graph(const NetworkSpec& network, std::uint32_t batch) {
  LossGraph l;
  Graph& g = l.graph;
  l.parameters = g.add_slot("c", parameter_layout(network).n_padded, Slot::Access::kReadWrite);
  l.opponent = l.parameters;
  l.input = g.add_slot("x", std::size_t{batch} * network.n_inputs(), Slot::Access::kRead);
  l.other = g.add_slot("labels", batch, Slot::Access::kRead);
  const ValueId logits = add_network(
      g, network, l.parameters, g.view(l.input, 0, {batch, network.n_inputs()}), Mode::kTraining);
  finish(l, network, g.apply(kCrossEntropy, {logits, g.view(l.other, 0, {batch})}));
  return l;
}

std::vector<double> doubles(std::span<const float> values) {
  return {values.begin(), values.end()};
}

// Compares every gradient with a central difference in double.
void expect_true_gradients(const LossGraph& l, std::vector<double> parameters,
                           std::vector<double> opponent, std::vector<double> input,
                           std::vector<double> other) {
  Plan<double> plan(kReference, l.graph, 1);
  std::vector<double> gradients(l.n_padded);
  double loss = 0;
  plan.bind(l.parameters, 0, std::span<double>(parameters));
  if (l.opponent != l.parameters) plan.bind(l.opponent, 0, std::span<const double>(opponent));
  plan.bind(l.input, 0, std::span<const double>(input));
  plan.bind(l.other, 0, std::span<const double>(other));
  plan.bind(l.gradients, 0, std::span<double>(gradients));
  plan.bind(l.loss, 0, std::span<double>(&loss, 1));
  plan.run();
  const std::vector<double> analytic = gradients;
  const auto loss_at = [&](std::size_t i, double shift) {
    const double kept = parameters[i];
    parameters[i] = kept + shift;
    plan.run();
    parameters[i] = kept;
    return loss;
  };
  constexpr double kShift = 1e-5;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double numeric = (loss_at(i, kShift) - loss_at(i, -kShift)) / (2 * kShift);
    EXPECT_NEAR(analytic[i], numeric, 1e-8 + 1e-6 * std::abs(numeric)) << i;
  }
}

class EveryLoss : public ::testing::TestWithParam<LossId> {};
INSTANTIATE_TEST_SUITE_P(Losses, EveryLoss,
                         ::testing::Range(LossId{0}, static_cast<LossId>(losses().size())),
                         [](const auto& param) { return std::string(losses()[param.param].name); });

TEST_P(EveryLoss, generator_gradients_equal_finite_differences) {
  const GanSpec gan = testing::tiny_gan();
  expect_true_gradients(generator_graph(gan, 7), doubles(testing::initial(gan.generator, 1)),
                        doubles(testing::initial(gan.discriminator, 2)),
                        doubles(testing::normals(7 * 3, 3)), {static_cast<double>(GetParam())});
}

TEST(Gradients, of_a_convolutional_generator_equal_finite_differences) {
  const GanSpec gan = testing::tiny_image_gan();
  expect_true_gradients(generator_graph(gan, 4), doubles(testing::initial(gan.generator, 1)),
                        doubles(testing::initial(gan.discriminator, 2)),
                        doubles(testing::normals(4 * 3, 3)), {0});
}

TEST(Gradients, of_a_convolutional_discriminator_equal_finite_differences) {
  const GanSpec gan = testing::tiny_image_gan();
  expect_true_gradients(discriminator_graph(gan, 8),
                        doubles(testing::initial(gan.discriminator, 4)), {},
                        doubles(testing::normals(8 * 50, 5)), {0});
}

TEST_P(EveryLoss, discriminator_gradients_equal_finite_differences) {
  const GanSpec gan = testing::tiny_gan();
  expect_true_gradients(discriminator_graph(gan, 8),
                        doubles(testing::initial(gan.discriminator, 4)), {},
                        doubles(testing::normals(8 * 6, 5)), {static_cast<double>(GetParam())});
}

TEST(Gradients, of_cross_entropy_equal_finite_differences) {
  const NetworkSpec network{{4}, {{6, Activation::kLeakyRelu}, {3}}};
  expect_true_gradients(classifier_graph(network, 5), doubles(testing::initial(network, 6)), {},
                        doubles(testing::normals(5 * 4, 7)), {0, 2, 1, 1, 0});
}

// f(A, B) = sum of rows and columns of op(A) op(B), checked against the closed form for all four
// ways.
TEST(Gradients, of_matmul_follow_its_transpositions) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      Graph g;
      const SlotId slot = g.add_slot("ab", 6 + 12, Slot::Access::kRead);
      const ValueId a = g.view(slot, 0, ta ? Shape{3, 2} : Shape{2, 3});
      const ValueId b = g.view(slot, 6, tb ? Shape{4, 3} : Shape{3, 4});
      const ValueId c = g.apply(kMatmul, {a, b}, {.transpose_a = ta, .transpose_b = tb});
      std::vector<ValueId> gradients(2);
      kMatmul.gradient({g, c, c, [](std::size_t) { return true; },
                        [&](std::size_t i, ValueId v) { gradients[i] = v; }});
      EXPECT_EQ(g.shape(gradients[0]), g.shape(a)) << ta << tb;
      EXPECT_EQ(g.shape(gradients[1]), g.shape(b)) << ta << tb;
    }
  }
}

TEST(Gradients, a_value_used_twice_collects_both) {
  Graph g;
  const SlotId p = g.add_slot("p", 4, Slot::Access::kRead);
  const SlotId id = g.add_slot("id", 1, Slot::Access::kRead);
  const ValueId x = g.view(p, 0, {4, 1});
  const ValueId twice = g.apply(kAdd, {x, x});
  const ValueId loss = g.apply(kGeneratorLoss, {twice, g.view(id, 0, {1})});
  const auto gradients = add_gradients(g, loss, std::vector<ValueId>{x});
  EXPECT_EQ(g.node(gradients[0]).operation, &kAdd);
}

TEST(Gradients, without_a_path_are_refused) {
  Graph g;
  const SlotId p = g.add_slot("p", 8, Slot::Access::kRead);
  const SlotId id = g.add_slot("id", 1, Slot::Access::kRead);
  const ValueId loss = g.apply(kGeneratorLoss, {g.view(p, 0, {4, 1}), g.view(id, 0, {1})});
  EXPECT_THROW(add_gradients(g, loss, std::vector<ValueId>{g.view(p, 4, {4, 1})}), InternalError);
}

}  // namespace
}  // namespace lipizz::nn
