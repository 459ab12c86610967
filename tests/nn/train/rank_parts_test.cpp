#include "nn/train/rank_parts.hpp"

#include <gtest/gtest.h>

#include "nn/network/models.hpp"
#include "nn/network/network_stages.hpp"

namespace lipizz::nn::rank_parts_test {
namespace {

const GanSpec& gan() {
  static const GanSpec made = make_model("dcgan28");
  return made;
}

const NetworkSpec& network() {
  return gan().discriminator;
}

NetworkStages uncut() {
  return in_one_stage(network());
}

TEST(RankParts, ranks_hold_whole_networks_and_shards_of_moments) {
  const std::size_t n = parameter_layout(network()).n_padded;
  const RankParts parts = rank_parts(uncut(), {}, {.n_micro_batches = 3}, 3);
  std::size_t n_moments = 0;
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(parts.n_held(rank), n);
    n_moments += parts.moments[rank].n;
    EXPECT_EQ(parts.updated_moments[rank].n, parts.moments[rank].n);
    for (const auto& updated : parts.updated) EXPECT_TRUE(rank == 0 || updated[rank].n == 0);
  }
  EXPECT_EQ(n_moments, parameter_layout(network()).n_parameters);
}

TEST(RankParts, ranks_hold_shards_of_parameters_and_all_statistics) {
  const NetworkStages generator = in_one_stage(gan().generator);
  const ParameterLayout layout = parameter_layout(gan().generator);
  const OptimizerSpec optimizer{.zero = ZeroStage::kParameters};
  const RankParts parts = rank_parts(generator, optimizer, {.n_micro_batches = 6}, 3);
  std::size_t n_held = 0;
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(parts.held[0][rank].n, parts.moments[rank].n);
    EXPECT_EQ(parts.updated[0][rank].first, parts.moments[rank].first);
    EXPECT_TRUE(rank == 0 || parts.updated[1][rank].n == 0);
    n_held += parts.n_held(rank);
  }
  EXPECT_EQ(n_held, layout.n_parameters + 3 * (layout.n_padded - layout.n_parameters));
  const auto n_held_of = [&](std::uint32_t own, std::uint32_t of_opponent) {
    const StepOptions options{.n_micro_batches = own, .n_micro_batches_of_opponent = of_opponent};
    return rank_parts(generator, optimizer, options, 3).n_held(1);
  };
  EXPECT_LT(n_held_of(6, 3), layout.n_padded);
  EXPECT_EQ(n_held_of(5, 3), layout.n_padded) << "5 of 3 ranks";
  EXPECT_EQ(n_held_of(6, 4), layout.n_padded) << "whose opponent has 4 of 3 ranks";
}

TEST(RankParts, gradients_are_shared_out_whatever_the_opponent_s_step_does) {
  const NoRanks ranks(3);
  const StepOptions uneven_opponent{.n_micro_batches = 6, .n_micro_batches_of_opponent = 4};
  EXPECT_EQ(zero_stage({.zero = ZeroStage::kGradients}, uneven_opponent, &ranks),
            ZeroStage::kGradients);
  EXPECT_EQ(zero_stage({.zero = ZeroStage::kParameters}, uneven_opponent, &ranks),
            ZeroStage::kGradients);
  const StepOptions uneven{.n_micro_batches = 4, .n_micro_batches_of_opponent = 6};
  EXPECT_EQ(zero_stage({.zero = ZeroStage::kGradients}, uneven, &ranks), ZeroStage::kMoments);
}

TEST(RankParts, optimizers_that_look_at_layers_keep_whole_moments_everywhere) {
  const RankParts parts =
      rank_parts(uncut(), {.kind = find_optimizer("lamb")}, {.n_micro_batches = 3}, 3);
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(parts.moments[rank].n, parameter_layout(network()).n_parameters);
    EXPECT_TRUE(rank == 0 || parts.updated_moments[rank].n == 0);
  }
}

// Ranks 0 and 2 compute the first of two stages.
TEST(RankParts, stages_hold_their_tensors_and_replicas_shards_of_their_moments) {
  const NetworkStages stages = pair_stages(gan(), 2).discriminator;
  const RankParts parts = rank_parts(stages, {}, {.n_micro_batches = 2}, 4);
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    const NetworkStages::Tensors& own = stages.tensors[rank % 2];
    const Shard shard = shard_of(own.parameters, rank / 2, 2);
    EXPECT_GT(shard.n, own.parameters.n / 3);
    EXPECT_EQ(parts.n_held(rank), own.parameters.n + own.statistics.n);
    EXPECT_EQ(parts.moments[rank].first, shard.first);
    EXPECT_EQ(parts.moments[rank].n, shard.n);
    EXPECT_EQ(parts.updated_moments[rank].n, shard.n);
    EXPECT_EQ(parts.updated[0][rank].n, rank < 2 ? own.parameters.n : 0);
    EXPECT_EQ(parts.updated[1][rank].n, rank < 2 ? own.statistics.n : 0);
  }
}

TEST(RankParts, replicas_of_a_stage_share_out_its_parameters) {
  const NetworkStages stages = pair_stages(gan(), 2).discriminator;
  const RankParts parts =
      rank_parts(stages, {.zero = ZeroStage::kParameters}, {.n_micro_batches = 4}, 4);
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    const NetworkStages::Tensors& own = stages.tensors[rank % 2];
    const Shard shard = shard_of(own.parameters, rank / 2, 2);
    EXPECT_EQ(parts.n_held(rank), shard.n + own.statistics.n);
    EXPECT_EQ(parts.updated[0][rank].first, shard.first);
    EXPECT_EQ(parts.updated[0][rank].n, shard.n);
    EXPECT_EQ(parts.updated[1][rank].n, rank < 2 ? own.statistics.n : 0);
  }
}

TEST(RankParts, a_whole_network_is_held_in_one_part) {
  const NetworkShare all = network_share(uncut().tensors[0], ZeroStage::kNothing, nullptr);
  ASSERT_EQ(all.held().size(), 1U);
  EXPECT_EQ(all.held()[0].n, parameter_layout(network()).n_padded);
  EXPECT_TRUE((NetworkShare{}.held().empty()));
}

}  // namespace
}  // namespace lipizz::nn::rank_parts_test
