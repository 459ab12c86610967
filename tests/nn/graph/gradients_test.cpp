#include "nn/graph/gradients.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "nn/base/loss.hpp"
#include "nn/finite_differences.hpp"
#include "nn/graph/operations.hpp"
#include "nn/support.hpp"

namespace lipizz::nn::gradients_test {
namespace {

using testing::doubles;
using testing::expect_true_gradients;
using testing::finish;
using testing::LossGraph;

LossGraph generator_graph(const GanSpec& gan, std::uint32_t batch) {
  LossGraph l;
  Graph& g = l.graph;
  l.parameters =
      g.add_slot("g", parameter_layout(gan.generator).n_padded, Slot::Access::kReadWrite);
  l.opponent = g.add_slot("d", parameter_layout(gan.discriminator).n_padded, Slot::Access::kRead);
  l.input = g.add_slot("z", std::size_t{batch} * gan.latent(), Slot::Access::kRead);
  l.other = g.add_slot("loss id, logits of real samples", 1 + batch, Slot::Access::kRead);
  const ValueId fakes =
      add_network(g, gan.generator, l.parameters, g.view(l.input, 0, {batch, gan.latent()}),
                  {.mode = Mode::kTraining});
  const ValueId logits =
      add_network(g, gan.discriminator, l.opponent, fakes, {.mode = Mode::kFrozen});
  finish(l, gan.generator,
         g.apply(kGeneratorLoss, {logits, g.view(l.other, 0, {1}), g.view(l.other, 1, {batch, 1})},
                 {.number = 1}));
  return l;
}

// The id of a loss, and logits of real samples for those that are relativistic.
std::vector<double> loss_and_logits(LossId loss, std::uint32_t batch) {
  std::vector<double> all = doubles(testing::normals(1 + batch, 9));
  all.front() = loss;
  return all;
}

LossGraph classifier_graph(const NetworkSpec& network, std::uint32_t batch) {
  LossGraph l;
  Graph& g = l.graph;
  l.parameters = g.add_slot("c", parameter_layout(network).n_padded, Slot::Access::kReadWrite);
  l.opponent = l.parameters;
  l.input = g.add_slot("x", std::size_t{batch} * network.n_inputs(), Slot::Access::kRead);
  l.other = g.add_slot("labels", batch, Slot::Access::kRead);
  const ValueId logits =
      add_network(g, network, l.parameters, g.view(l.input, 0, {batch, network.n_inputs()}),
                  {.mode = Mode::kTraining});
  finish(l, network, g.apply(kCrossEntropy, {logits, g.view(l.other, 0, {batch})}));
  return l;
}

class EveryLoss : public ::testing::TestWithParam<LossId> {};
INSTANTIATE_TEST_SUITE_P(Losses, EveryLoss,
                         ::testing::Range(LossId{0}, static_cast<LossId>(losses().size())),
                         [](const auto& param) { return std::string(losses()[param.param].name); });

TEST_P(EveryLoss, generator_gradients_equal_finite_differences) {
  const GanSpec gan = testing::tiny_gan();
  expect_true_gradients(generator_graph(gan, 7), doubles(testing::initial(gan.generator, 1)),
                        doubles(testing::initial(gan.discriminator, 2)),
                        doubles(testing::normals(7 * 3, 3)), loss_and_logits(GetParam(), 7));
}

TEST(Gradients, of_a_convolutional_generator_equal_finite_differences) {
  const GanSpec gan = testing::tiny_image_gan();
  expect_true_gradients(generator_graph(gan, 4), doubles(testing::initial(gan.generator, 1)),
                        doubles(testing::initial(gan.discriminator, 2)),
                        doubles(testing::normals(4 * 3, 3)), loss_and_logits(0, 4));
}

TEST(Gradients, of_a_convolutional_discriminator_equal_finite_differences) {
  const GanSpec gan = testing::tiny_image_gan();
  expect_true_gradients(testing::discriminator_graph(gan.discriminator, 8),
                        doubles(testing::initial(gan.discriminator, 4)), {},
                        doubles(testing::normals(8 * 50, 5)), {0});
}

TEST_P(EveryLoss, discriminator_gradients_equal_finite_differences) {
  const GanSpec gan = testing::tiny_gan();
  expect_true_gradients(testing::discriminator_graph(gan.discriminator, 8),
                        doubles(testing::initial(gan.discriminator, 4)), {},
                        doubles(testing::normals(8 * 6, 5)), {static_cast<double>(GetParam())});
}

TEST(Gradients, of_cross_entropy_equal_finite_differences) {
  const NetworkSpec network{{4}, {{6, Activation::kLeakyRelu}, {3}}};
  expect_true_gradients(classifier_graph(network, 5), doubles(testing::initial(network, 6)), {},
                        doubles(testing::normals(5 * 4, 7)), {0, 2, 1, 1, 0});
}

// f(A, B) = sum of rows and columns of op(A) op(B), checked against the closed form for all four
// combinations.
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
  const ValueId loss = g.apply(kGeneratorLoss, {twice, g.view(id, 0, {1})}, {.number = 1});
  const auto gradients = add_gradients(g, loss, std::vector<ValueId>{x});
  EXPECT_EQ(g.node(gradients[0]).operation, &kAdd);
}

TEST(Gradients, of_operations_that_are_differentiated_together_need_all_of_them) {
  Graph g;
  const SlotId p = g.add_slot("p", 100, Slot::Access::kRead);
  const ValueId statistics = g.view(p, 50, {1, 2, 1});
  const ValueId scale = g.view(p, 60, {1});
  const std::vector<ValueId> x{g.view(p, 0, {4, 1}), g.view(p, 10, {4, 1})};
  const ValueId first = g.apply(kNormalise, {x[0], statistics, scale, scale}, {.shape = {8}});
  const ValueId second = g.apply(kNormalise, {x[1], statistics, scale, scale}, {.shape = {8}});
  g.differentiate_together(second, 2);
  const auto loss_of = [&](ValueId logits) {
    return g.apply(kGeneratorLoss, {logits, g.view(p, 90, {1})}, {.number = 1});
  };
  const std::vector<ValueId> losses{loss_of(first), loss_of(second)};
  EXPECT_EQ(add_gradients(g, losses, x).size(), 2U);
  EXPECT_THROW(add_gradients(g, losses[1], std::span(x).last(1)), InternalError);
}

TEST(Gradients, without_a_path_are_refused) {
  Graph g;
  const SlotId p = g.add_slot("p", 8, Slot::Access::kRead);
  const SlotId id = g.add_slot("id", 1, Slot::Access::kRead);
  const ValueId loss =
      g.apply(kGeneratorLoss, {g.view(p, 0, {4, 1}), g.view(id, 0, {1})}, {.number = 1});
  EXPECT_THROW(add_gradients(g, loss, std::vector<ValueId>{g.view(p, 4, {4, 1})}), InternalError);
}

}  // namespace
}  // namespace lipizz::nn::gradients_test
