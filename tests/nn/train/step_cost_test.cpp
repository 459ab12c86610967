#include "nn/train/step_cost.hpp"

#include <gtest/gtest.h>

#include "nn/base/pipeline.hpp"

namespace lipizz::nn::step_cost_test {
namespace {

constexpr Engine kReference{};
constexpr StepOptions kInFour{.n_micro_batches = 4};

const GanSpec& gan() {
  static const GanSpec made = make_model("dcgan28");
  return made;
}

// A generator's step as a rank of a cell sees it.
StepCost cost_at(std::uint32_t n_ranks, std::uint32_t rank, const PipelineSpec& spec = {},
                 const OptimizerSpec& optimizer = {}) {
  NoCell cell(n_ranks, rank, spec);
  return generator_step_cost(cell.engine(kReference), gan(), optimizer, 64, kInFour);
}

double of_all(std::uint64_t n) {
  return static_cast<double>(n);
}

TEST(StepCost, is_shared_out_among_ranks_that_send_each_gradient_and_parameter_once) {
  const GraphCost alone = generator_step_cost(kReference, gan(), {}, 64, kInFour).graph;
  const GraphCost shared = cost_at(4, 0).graph;
  EXPECT_EQ(alone.sent, 0U);
  EXPECT_EQ(alone.waits, 0U);
  EXPECT_NEAR(of_all(shared.operations) / of_all(alone.operations), 0.25, 0.03);
  const double n = of_all(parameter_layout(gan().generator).n_parameters);
  EXPECT_NEAR(of_all(shared.sent) / n, 2 * 0.75, 0.05) << "gradients, then parameters";
  EXPECT_GE(shared.waits, 2U);
}

TEST(StepCost, grows_with_stages_of_zero) {
  const auto with = [](ZeroStage zero) {
    OptimizerSpec optimizer;
    optimizer.zero = zero;
    return cost_at(4, 0, {}, optimizer).graph;
  };
  const GraphCost moments = with(ZeroStage::kMoments);
  const GraphCost parameters = with(ZeroStage::kParameters);
  EXPECT_GT(parameters.sent, moments.sent) << "forward and backward";
  EXPECT_GT(parameters.waits, with(ZeroStage::kGradients).waits);
  EXPECT_GT(with(ZeroStage::kGradients).waits, moments.waits);
}

TEST(StepCost, of_stages_is_that_of_the_whole_with_a_bubble) {
  const GraphCost alone = generator_step_cost(kReference, gan(), {}, 64, kInFour).graph;
  const PipelineSpec two{.n_stages = 2};
  std::uint64_t operations = 0;
  for (std::uint32_t stage = 0; stage < 2; ++stage) {
    const StepCost cost = cost_at(2, stage, two);
    EXPECT_GT(cost.graph.sent, 0U);
    EXPECT_GT(cost.bubble, 0.05);
    EXPECT_LT(cost.bubble, 0.5);
    operations += cost.graph.operations;
  }
  EXPECT_NEAR(of_all(operations) / of_all(alone.operations), 1, 0.02);
}

TEST(StepCost, of_a_discriminator_is_found_as_well) {
  NoCell cell(2, 0, {});
  const StepCost cost = discriminator_step_cost(cell.engine(kReference), gan(), {}, 64, kInFour);
  EXPECT_GT(cost.graph.operations, cost_at(2, 0).graph.operations / 4);
  EXPECT_EQ(cost.bubble, 0);
}

}  // namespace
}  // namespace lipizz::nn::step_cost_test
