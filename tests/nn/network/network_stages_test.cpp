#include "nn/network/network_stages.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/network/models.hpp"

namespace lipizz::nn::network_stages_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

NetworkSpec perceptron(const std::vector<std::uint32_t>& outputs) {
  NetworkSpec network{{100}, {}};
  for (const std::uint32_t n : outputs) network.layers.push_back({n});
  return network;
}

// Multiplications and additions of the layers of each stage, for one sample.
std::vector<std::uint64_t> flops_of(const NetworkSpec& network,
                                    const std::vector<std::uint32_t>& of_layer) {
  std::vector<std::uint64_t> sums(of_layer.back() + 1);
  std::size_t layer = 0;
  visit_layers(network, [&](const AddedLayer& added) {
    for (std::uint32_t i = added.first.index; i < added.graph.nodes().size(); ++i) {
      if (added.graph.nodes()[i].operation == nullptr) continue;
      sums[of_layer[layer]] += added.graph.flops({i});
    }
    ++layer;
  });
  return sums;
}

GanSpec twice(const NetworkSpec& network) {
  return {network, network};
}

TEST(NetworkStages, are_layers_that_follow_one_another) {
  const GanSpec even = twice(perceptron({100, 100, 100, 100}));
  EXPECT_THAT(pair_stages(even, 1).generator.of_layer, Each(0U));
  EXPECT_THAT(pair_stages(even, 2).generator.of_layer, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(pair_stages(even, 2).discriminator.of_layer, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(pair_stages(even, 4).discriminator.of_layer, ElementsAre(0, 1, 2, 3));
  const GanSpec uneven = twice(perceptron({1000, 10, 10}));
  EXPECT_THAT(pair_stages(uneven, 3).generator.of_layer, ElementsAre(0, 1, 2));
}

TEST(NetworkStages, a_network_may_be_cut_into_some_of_them) {
  const GanSpec even = twice(perceptron({100, 100, 100, 100}));
  const auto stages_of = [&even](std::uint32_t n_stages, const NetworkCuts& cuts) {
    const PairStages pair = pair_stages(even, n_stages, PipelineBalance::kTime, cuts);
    return std::pair(pair.generator.of_layer, pair.discriminator.of_layer);
  };
  using Of = std::vector<std::uint32_t>;
  EXPECT_EQ(stages_of(2, {1, 1}), std::pair(Of({0, 0, 0, 0}), Of({1, 1, 1, 1})));
  EXPECT_EQ(stages_of(3, {2, 1}), std::pair(Of({0, 0, 1, 1}), Of({2, 2, 2, 2})));
  EXPECT_EQ(stages_of(3, {1, 2}), std::pair(Of({0, 0, 0, 0}), Of({1, 1, 2, 2})));
  EXPECT_EQ(stages_of(2, {5, 2}), stages_of(2, {}));
  EXPECT_EQ(stages_of(4, {1, 1}), stages_of(4, {1, 3})) << "no stage is left out";
  EXPECT_EQ(stages_of(4, {0, 4}), stages_of(4, {}));
}

// The others have the less of the network that all of them share.
TEST(NetworkStages, a_network_at_some_stages_is_balanced_by_the_other_one) {
  const GanSpec even = twice(perceptron({100, 100, 100, 100}));
  const PairStages pair = pair_stages(even, 2, PipelineBalance::kMemory, {.discriminator = 1});
  EXPECT_THAT(pair.generator.of_layer, ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(pair.discriminator.of_layer, Each(1U));
  EXPECT_EQ(pair.discriminator.tensors[0].parameters.n, 0U);
  EXPECT_EQ(pair.discriminator.first(), 1U);
}

TEST(NetworkStages, with_more_stages_than_layers_some_have_none) {
  for (const std::uint32_t n_stages : {3U, 4U, 7U}) {
    const NetworkStages stages = pair_stages(twice(perceptron({10, 1})), n_stages).generator;
    EXPECT_EQ(stages.of_layer.size(), 2U);
    ASSERT_EQ(stages.tensors.size(), n_stages);
    std::size_t n = 0;
    for (std::uint32_t stage = 0; stage < n_stages; ++stage) {
      n += stages.tensors[stage].parameters.n;
    }
    EXPECT_EQ(n, 1021U);
  }
}

// One stage has two of three layers that cost as much; of the other network it has one.
TEST(NetworkStages, one_network_makes_up_for_the_other) {
  const PairStages stages = pair_stages(twice(perceptron({100, 100, 100})), 2);
  EXPECT_NE(stages.generator.of_layer, stages.discriminator.of_layer);
}

// No single end can be moved to where the slowest of all stages is faster.
TEST(NetworkStages, several_stages_may_be_the_slowest) {
  const GanSpec blocks = twice(perceptron({100, 100, 10, 100, 100, 100, 10, 100}));
  const auto [g, d] = pair_stages(blocks, 4, PipelineBalance::kMemory);
  std::size_t most = 0;
  std::size_t sum = 0;
  for (std::uint32_t stage = 0; stage < 4; ++stage) {
    const std::size_t n = g.tensors[stage].parameters.n + d.tensors[stage].parameters.n;
    most = std::max(most, n);
    sum += n;
  }
  EXPECT_LE(most, sum / 4 + 10'100);
}

// Every tensor is at one stage, in the order of the buffer.
TEST(NetworkStages, hold_all_tensors) {
  for (const std::string_view name : {"mlp", "dcgan28", "sngan32", "pix2pix32", "biggan32"}) {
    const GanSpec gan = make_model(name, {.n_classes = name == "biggan32" ? 10U : 0U});
    const PairStages pair = pair_stages(gan, 3);
    for (const auto& [network, stages] : {std::pair(&gan.generator, &pair.generator),
                                          std::pair(&gan.discriminator, &pair.discriminator)}) {
      const ParameterLayout layout = parameter_layout(*network);
      std::size_t next = 0;
      std::size_t n_statistics = 0;
      for (const NetworkStages::Tensors& tensors : stages->tensors) {
        if (tensors.parameters.n > 0) {
          EXPECT_EQ(tensors.parameters.first, next);
        }
        next += tensors.parameters.n;
        n_statistics += tensors.statistics.n;
      }
      EXPECT_EQ(next, layout.n_parameters) << name;
      std::size_t n_expected = 0;
      for (const auto& block : layout.statistics) n_expected += n_elements(block.shape);
      EXPECT_EQ(n_statistics, n_expected) << name;
    }
  }
}

// Parameters of both networks, and of their largest layer.
std::pair<std::size_t, std::size_t> sizes_of(const GanSpec& gan) {
  std::size_t n_all = 0;
  std::size_t n_largest = 0;
  for (const NetworkSpec* network : {&gan.generator, &gan.discriminator}) {
    std::size_t n_before = 0;
    visit_layers(*network, [&](const AddedLayer& added) {
      std::size_t n = 0;
      for (const auto& block : added.layout.blocks) n += n_elements(block.shape);
      n_largest = std::max(n_largest, n - n_before);
      n_before = n;
    });
    n_all += n_before;
  }
  return {n_all, n_largest};
}

// MP-2: a stage has no more parameters than its share and the largest layer.
TEST(NetworkStages, mp2_may_have_parameters_alike) {
  for (const std::string_view name :
       {"mlp", "dcgan28", "dcgan64", "dcgan128", "pix2pix", "sngan32", "biggan128"}) {
    const GanSpec gan = make_model(name, {.n_classes = name == "biggan128" ? 1000U : 0U});
    const auto [n_all, n_largest] = sizes_of(gan);
    for (const std::uint32_t n_stages : {2U, 3U, 4U}) {
      const auto [g, d] = pair_stages(gan, n_stages, PipelineBalance::kMemory);
      for (std::uint32_t stage = 0; stage < n_stages; ++stage) {
        EXPECT_LE(g.tensors[stage].parameters.n + d.tensors[stage].parameters.n,
                  n_all / n_stages + n_largest)
            << name;
      }
    }
  }
}

// PP-5: the slowest stage has less to do than where stages have as many layers.
TEST(NetworkStages, pp5_are_balanced_by_what_layers_cost) {
  const GanSpec gan = twice(perceptron({1000, 1000, 10, 10, 10, 10, 10, 10}));
  const auto [g, d] = pair_stages(gan, 2);
  const auto slowest = [&](const std::vector<std::uint32_t>& of_g,
                           const std::vector<std::uint32_t>& of_d) {
    const auto in_g = flops_of(gan.generator, of_g);
    const auto in_d = flops_of(gan.discriminator, of_d);
    return static_cast<double>(std::max(in_g[0] + in_d[0], in_g[1] + in_d[1]));
  };
  const std::vector<std::uint32_t> even{0, 0, 0, 0, 1, 1, 1, 1};
  EXPECT_LT(slowest(g.of_layer, d.of_layer), 0.95 * slowest(even, even));
}

}  // namespace
}  // namespace lipizz::nn::network_stages_test
