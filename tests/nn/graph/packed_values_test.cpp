#include "nn/graph/packed_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "nn/graph/memory_plan.hpp"
#include "nn/graph/mixed_precision.hpp"
#include "nn/graph/operations.hpp"
#include "nn/network/models.hpp"
#include "nn/one_operation.hpp"
#include "nn/step_run.hpp"
#include "nn/support.hpp"
#include "nn/train/step_graphs.hpp"

namespace lipizz::nn::packed_values_test {
namespace {

constexpr std::array kFormats{Half::kFp16, Half::kBf16};

// Even and odd numbers of them, with the largest and the least.
TEST(PackedValues, come_back_rounded) {
  for (const std::uint32_t n : {1U, 2U, 7U, 64U, 1001U}) {
    testing::Operand<float> x = testing::drawn({n}, n);
    const std::vector<float> ends{65519, -1e30F, 1e-7F, 6e-5F,
                                  std::numeric_limits<float>::infinity()};
    std::copy_n(ends.begin(), std::min<std::size_t>(n, ends.size()), x.values.begin());
    for (const Half format : kFormats) {
      const Attributes as = attributes_of(format);
      Attributes back = as;
      back.shape = x.shape;
      for (const auto& device : testing::devices()) {
        const auto packed = testing::run_once(*device, kPack, {x}, as);
        EXPECT_EQ(packed.size(), (n + 1) / 2);
        EXPECT_EQ(testing::run_once(*device, kUnpack, {{{(n + 1) / 2}, packed}}, back),
                  testing::run_once(*device, kRound, {x}, as))
            << device->name() << ", " << n;
      }
    }
  }
}

double elements_of(const StepGraph& step) {
  return static_cast<double>(plan_memory(step.graph, 16).n_elements);
}

// Elements of the values that lie in a step's own memory while its loss is computed, between the
// forward pass and the backward one that reads them.
double n_kept(const StepGraph& step, const Operation& loss) {
  const Graph& graph = step.graph;
  const std::vector<ValueId> order = graph.live_operations();
  const auto middle = std::ranges::find(
      order, &loss, [&graph](ValueId value) { return graph.node(value).operation; });
  std::set<std::uint32_t> made;
  for (const ValueId value : std::span(order.begin(), middle)) {
    if (!graph.node(value).location) made.insert(value.index);
  }
  std::set<std::uint32_t> kept;
  for (const ValueId value : std::span(middle, order.end()).subspan(1)) {
    for (const ValueId input : graph.node(value).inputs) {
      const std::uint32_t owner = graph.storage(input).owner.index;
      if (made.contains(owner)) kept.insert(owner);
    }
  }
  std::size_t n = 0;
  for (const std::uint32_t value : kept) n += n_elements(graph.shape({value}));
  return static_cast<double>(n);
}

// AMP-5: about half as many bytes in a generator's step; a discriminator's packs less, since its
// first layer needs most memory in any case.
TEST(PackedValues, amp5_fewer_bytes_are_kept_for_the_backward_pass) {
  for (const auto& [name, most_of_g, most_of_d] :
       {std::tuple("dcgan64", 0.53, 0.74), {"r3-tiny", 0.63, 0.73}}) {
    const GanSpec gan = make_model(name);
    const double g_wanted = n_kept(generator_step_graph(gan, {}, 64), kGeneratorLoss);
    const double d_wanted = n_kept(discriminator_step_graph(gan, {}, 64), kDiscriminatorLoss);
    for (const Half format : kFormats) {
      const OptimizerSpec mixed{.mixed = {format}};
      const double of_g = n_kept(generator_step_graph(gan, mixed, 64), kGeneratorLoss) / g_wanted;
      const double of_d =
          n_kept(discriminator_step_graph(gan, mixed, 64), kDiscriminatorLoss) / d_wanted;
      EXPECT_GT(of_g, 0.5) << name;
      EXPECT_LT(of_g, most_of_g) << name;
      EXPECT_GT(of_d, 0.5) << name;
      EXPECT_LT(of_d, most_of_d) << name;
    }
  }
}

// AMP-5: what is kept for the backward pass takes half the memory, beside what a layer needs at a
// time. The first layer of a discriminator needs most.
TEST(PackedValues, amp5_steps_take_less_memory) {
  for (const char* const name : {"dcgan64", "r3-tiny"}) {
    const GanSpec gan = make_model(name);
    const double g_wanted = elements_of(generator_step_graph(gan, {}, 64));
    const double d_wanted = elements_of(discriminator_step_graph(gan, {}, 64));
    for (const Half format : kFormats) {
      const OptimizerSpec mixed{.mixed = {format}};
      EXPECT_LT(elements_of(generator_step_graph(gan, mixed, 64)) / g_wanted, 0.66) << name;
      EXPECT_LT(elements_of(discriminator_step_graph(gan, mixed, 64)) / d_wanted, 0.97) << name;
    }
  }
}

TEST(PackedValues, are_the_same_bits) {
  const auto gradient_of = [](bool is_packed) {
    StepGraph step = generator_step_graph(make_model("dcgan28"), testing::kPlainDescent, 20);
    step.graph = with_rounded_values(step.graph, Half::kFp16);
    if (is_packed) step.graph = with_packed_values(step.graph);
    const auto is_pack = [&](ValueId value) { return step.graph.node(value).operation == &kPack; };
    EXPECT_EQ(std::ranges::count_if(step.graph.live_operations(), is_pack) > 2, is_packed);
    testing::StepRun<float> run(testing::engines().back(), std::move(step));
    run.draw();
    return run.gradient(testing::initial(make_model("dcgan28").generator, 1));
  };
  EXPECT_EQ(gradient_of(true), gradient_of(false));
}

}  // namespace
}  // namespace lipizz::nn::packed_values_test
