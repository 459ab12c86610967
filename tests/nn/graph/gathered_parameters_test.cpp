#include "nn/graph/gathered_parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "nn/graph/operations.hpp"

// Bits are compared in parallel/zero_conformance.hpp.
namespace lipizz::nn::gathered_parameters_test {
namespace {

constexpr std::uint32_t kWidth = 40;
constexpr std::size_t kWeights = std::size_t{kWidth} * kWidth;
constexpr std::size_t kNWeights = 2 * kWeights;
constexpr std::size_t kAll = kNWeights + kWidth;

// x times one matrix, then so many times itself, times the other one and the first one again, plus
// a row of what is not sharded.
struct Chain {
  Graph graph;
  SlotId slot;

  explicit Chain(int n_between) : slot(graph.add_slot("parameters", kAll, kAccess)) {
    const auto matrix = [&](std::size_t i) {
      return graph.view(slot, i * kWeights, {kWidth, kWidth});
    };
    ValueId x = graph.view(graph.add_slot("x", kWidth, Slot::Access::kRead), 0, {1, kWidth});
    x = graph.apply(kMatmul, {x, matrix(0)});
    for (int i = 0; i < n_between; ++i) x = graph.apply(kAdd, {x, x});
    x = graph.apply(kMatmul, {x, matrix(1)});
    x = graph.apply(kMatmul, {x, matrix(0)});
    x = graph.apply(kAdd, {x, graph.view(slot, kNWeights, {1, kWidth})});
    graph.place(x, graph.add_slot("result", kWidth, Slot::Access::kReadWrite), 0);
  }

  [[nodiscard]] Graph at(std::uint32_t rank, std::uint32_t n_ranks) const {
    NoRanks ranks(n_ranks, rank);
    const Shard own = shard_of(kNWeights, rank, n_ranks);
    ShardedParameters sharded{slot, {}};
    for (const Shard bucket : {Shard{0, kWeights}, Shard{kWeights, kWeights}}) {
      sharded.buckets.push_back({bucket, intersection(own, bucket)});
    }
    return with_gathered_parameters(graph, std::span(&sharded, 1), ranks);
  }

 private:
  static constexpr Slot::Access kAccess = Slot::Access::kReadWrite;
};

std::vector<ValueId> gathers_of(const Graph& graph) {
  std::vector<ValueId> found;
  for (const ValueId value : graph.live_operations()) {
    if (graph.node(value).operation == &kGatherShards) found.push_back(value);
  }
  return found;
}

TEST(GatheredParameters, are_gathered_again_where_others_have_been_read_for_long) {
  EXPECT_EQ(gathers_of(Chain(0).at(0, 2)).size(), 2U);
  EXPECT_EQ(gathers_of(Chain(20).at(0, 2)).size(), 3U);
}

// Blocks of 1,024 of these 3,200 elements are dealt out to three ranks: a bucket of 1,600 ends
// within the second one's.
TEST(GatheredParameters, a_rank_brings_what_it_has_of_a_bucket) {
  const Chain chain(0);
  const auto sizes = [&](std::uint32_t rank) {
    const Graph graph = chain.at(rank, 3);
    std::vector<std::size_t> all;
    for (const ValueId gather : gathers_of(graph)) {
      const auto& inputs = graph.node(gather).inputs;
      all.push_back(inputs.empty() ? 0 : n_elements(graph.shape(inputs.front())));
      EXPECT_EQ(graph.shape(gather), Shape{kWeights});
    }
    return all;
  };
  std::vector<std::size_t> total(2);
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    const std::vector<std::size_t> of_rank = sizes(rank);
    ASSERT_EQ(of_rank.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) total[i] += of_rank[i];
  }
  EXPECT_EQ(total, std::vector<std::size_t>(2, kWeights));
  EXPECT_EQ(sizes(2)[0], 0U);
}

TEST(GatheredParameters, what_is_not_sharded_is_read_where_it_lies) {
  const Graph graph = Chain(0).at(0, 2);
  const auto is_behind = [](const Node& node) {
    return node.operation == nullptr && node.location && node.location->offset == kNWeights;
  };
  EXPECT_EQ(std::ranges::count_if(graph.nodes(), is_behind), 1);
}

}  // namespace
}  // namespace lipizz::nn::gathered_parameters_test
