#include "nn/train/gradient_buckets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nn/base/engine.hpp"
#include "nn/base/pipeline.hpp"
#include "nn/graph/operations.hpp"
#include "nn/network/models.hpp"
#include "nn/network/network_stages.hpp"
#include "nn/train/step_graphs.hpp"

// Bits are compared in parallel/zero_conformance.hpp.
namespace lipizz::nn::gradient_buckets_test {
namespace {

std::vector<Shard> all_buckets(const ParameterLayout& layout) {
  return parameter_buckets(layout, {0, layout.n_parameters});
}

TEST(GradientBuckets, are_runs_of_whole_tensors) {
  for (const char* const name : {"mlp-2d", "dcgan64", "sngan32"}) {
    const ParameterLayout layout = parameter_layout(make_model(name).discriminator);
    const std::vector<Shard> buckets = all_buckets(layout);
    std::size_t next = 0;
    std::size_t block = 0;
    for (const Shard& bucket : buckets) {
      EXPECT_EQ(bucket.first, next);
      while (block < layout.blocks.size() && layout.blocks[block].offset < bucket.end()) ++block;
      next = block < layout.blocks.size() ? layout.blocks[block].offset : layout.n_parameters;
      EXPECT_EQ(bucket.end(), next) << name;
      EXPECT_TRUE(bucket.n >= 1U << 16U || next == layout.n_parameters) << name;
    }
    EXPECT_EQ(next, layout.n_parameters) << name;
  }
}

TEST(GradientBuckets, are_those_of_a_range) {
  const ParameterLayout layout = parameter_layout(make_model("dcgan64").discriminator);
  const std::size_t middle = layout.blocks[layout.blocks.size() / 2].offset;
  const std::vector<Shard> first = parameter_buckets(layout, {0, middle});
  const std::vector<Shard> last = parameter_buckets(layout, {middle, layout.n_parameters - middle});
  EXPECT_EQ(first.front().first, 0U);
  EXPECT_EQ(first.back().end(), middle);
  EXPECT_EQ(last.front().first, middle);
  EXPECT_EQ(last.back().end(), layout.n_parameters);
  EXPECT_TRUE(parameter_buckets(layout, {middle, 0}).empty());
}

using Operations = std::vector<const Operation*>;

bool is_one_of(const Operation* operation, const Operations& some) {
  return std::ranges::find(some, operation) != some.end();
}

// Elements of these operations' results, or of their inputs, that are needed at the same time.
std::size_t most_at_once(const Graph& graph, const Operations& some, bool are_results) {
  const std::vector<ValueId> order = graph.live_operations();
  std::map<std::uint32_t, std::size_t> made;  // by the value, where in the order
  for (std::size_t i = 0; i < order.size(); ++i) made[order[i].index] = i;
  std::map<std::uint32_t, std::size_t> last_read;
  std::map<std::uint32_t, bool> is_counted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& node = graph.node(order[i]);
    const bool is_one = is_one_of(node.operation, some);
    if (is_one && are_results) is_counted[order[i].index] = true;
    for (const ValueId input : node.inputs) {
      const std::uint32_t owner = graph.storage(input).owner.index;
      last_read[owner] = i;
      if (is_one && !are_results && made.contains(owner)) is_counted[owner] = true;
    }
  }
  std::size_t most = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t n = 0;
    for (const auto& [value, counts] : is_counted) {
      if (made[value] <= i && i <= last_read[value]) n += n_elements(graph.shape({value}));
    }
    most = std::max(most, n);
  }
  return most;
}

// Bytes of a network in training at a rank: of its parameters, gradients and moments.
struct StateBytes {
  double all;      // what is there as long as a step
  double passing;  // and what comes and goes
};

StateBytes state_bytes(const StepGraph& step) {
  std::size_t n = step.moments.size() * step.shard.n;
  for (const Shard& held : step.stage.trained) n += held.n;
  for (const Slot& slot : step.graph.slots()) n += slot.name == "gradients" ? slot.n_elements : 0;
  const std::size_t n_passing = most_at_once(step.graph, {&kGatherShards}, true) +
                                most_at_once(step.graph, {&kSendGradients, &kAddGradients}, false);
  return {4.0 * static_cast<double>(n), 4.0 * static_cast<double>(n_passing)};
}

// A network of the pair, and the step that trains it.
struct Trained {
  const NetworkSpec& network;
  decltype(&generator_step_graph) step_graph;
};

StateBytes state_bytes(const GanSpec& gan, const Trained& trained, ZeroStage zero,
                       std::uint32_t n_ranks, std::uint32_t rank, std::uint32_t n_of_rank) {
  NoRanks ranks(n_ranks, rank);
  const NoSamples source(gan.sample());
  return state_bytes(trained.step_graph(gan, {.zero = zero}, n_ranks * n_of_rank,
                                        {.n_micro_batches = n_ranks * n_of_rank},
                                        {.source = &source, .collectives = &ranks}));
}

// The bytes that docs/parallel.md says of a rank.
std::map<ZeroStage, double> formulas_of(double p, std::uint32_t n_ranks, std::uint32_t n_of_rank) {
  const double gradients = 4.0 * n_of_rank;
  return {{ZeroStage::kNothing, (12 + gradients) * p},
          {ZeroStage::kMoments, (4 + gradients + 8.0 / n_ranks) * p},
          {ZeroStage::kGradients, (4 + 12.0 / n_ranks) * p},
          {ZeroStage::kParameters, 16 * p / n_ranks}};
}

// That much comes and goes at most, where the largest bucket is so large and so much of another one
// may have begun.
double most_passing(ZeroStage zero, std::uint32_t n_ranks, double largest, double begun) {
  if (n_ranks == 1 || zero < ZeroStage::kGradients) return 0;
  return (zero < ZeroStage::kParameters ? 2 : 4) * largest + begun;
}

void expect_formulas(const GanSpec& gan, const Trained& trained) {
  const ParameterLayout layout = parameter_layout(trained.network);
  const double p = static_cast<double>(layout.n_parameters);
  const double largest =
      4.0 * static_cast<double>(std::ranges::max(all_buckets(layout), {}, &Shard::n).n);
  // The first gradients of a discriminator's third bucket, which is not yet full.
  const double begun = &trained.network == &gan.discriminator ? 4.0 * (1U << 16U) : 0;
  for (const auto& [n, n_of_rank] : {std::pair(1U, 1U), {2U, 1U}, {4U, 1U}, {2U, 2U}}) {
    for (const auto& [zero, formula] : formulas_of(p, n, n_of_rank)) {
      for (const std::uint32_t rank : std::set<std::uint32_t>{0, n - 1}) {
        SCOPED_TRACE("stage " + std::to_string(static_cast<int>(zero)) + " on " +
                     std::to_string(n) + " ranks");
        const StateBytes bytes = state_bytes(gan, trained, zero, n, rank, n_of_rank);
        EXPECT_NEAR(bytes.all / formula, 1, 0.05);
        EXPECT_LE(bytes.passing, most_passing(zero, n, largest, begun));
      }
    }
  }
}

// Z-3: P parameters of four bytes, as many gradients for each micro-batch of a rank, unless they
// are shared out, twice as many moments. Two buckets of gradients are on their way at a time, and
// the parameters that a layer and its neighbours read.
TEST(GradientBuckets, z3_a_rank_has_as_many_bytes_as_the_formulas_say) {
  for (const auto& [name, n_classes] :
       {std::pair("dcgan64", 0U), {"pix2pix", 0U}, {"biggan128", 1000U}}) {
    const GanSpec gan = make_model(name, {.n_classes = n_classes});
    SCOPED_TRACE(name);
    expect_formulas(gan, {gan.generator, &generator_step_graph});
    expect_formulas(gan, {gan.discriminator, &discriminator_step_graph});
  }
}

// The same of a stage's parameters, of which two ranks have each.
TEST(GradientBuckets, z3_mp2_replicas_of_a_stage_have_as_many_bytes_as_the_formulas_say) {
  constexpr std::uint32_t kNReplicas = 2;
  const GanSpec gan = make_model("pix2pix");
  const NoSamples source(gan.sample());
  for (const std::uint32_t n_stages : {2U, 4U}) {
    const PairStages stages = pair_stages(gan, n_stages);
    for (std::uint32_t rank = 0; rank < kNReplicas * n_stages; ++rank) {
      const std::uint32_t stage = rank % n_stages;
      NoCell cell(kNReplicas * n_stages, rank, {.n_stages = n_stages});
      const Engine engine = cell.engine({});
      const auto p = static_cast<double>(stages.generator.tensors[stage].parameters.n);
      if (p < 1e6) continue;  // few blocks to share out
      for (const auto& [zero, formula] : formulas_of(p, kNReplicas, 1)) {
        const StepGraph step = generator_step_graph(
            gan, {.zero = zero}, kNReplicas, {.n_micro_batches = kNReplicas},
            {.source = &source, .collectives = engine.collectives, .pipeline = engine.pipeline});
        EXPECT_NEAR(state_bytes(step).all / formula, 1, 0.05)
            << "stage " << static_cast<int>(zero) << " at rank " << rank << " of " << n_stages
            << " stages";
      }
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::gradient_buckets_test
