#pragma once

#include "parallel/conformance.hpp"

/// The requirements on what ranks share out of the networks in training (ZeRO), on every transport
/// and for any number of ranks. Z-2 and the like are names of ours.
namespace lipizz::parallel {

// As after_steps(), where ranks share out as much as these stages say.
inline training::Pair after_zero_steps(training::Training how, std::uint32_t n_micro_batches,
                                       nn::Collectives& ranks, ZeroStage g, ZeroStage d,
                                       std::uint32_t steps) {
  how.optimizer.zero = g;
  how.zero_of_discriminator = d;
  return after_steps(how, n_micro_batches, &ranks, steps);
}

// Trained in each of these ways, with every pair of stages, a pair has the bits of one rank.
inline void expect_of_all_stages(const std::vector<Way>& ways, std::uint32_t batch,
                                 nn::Collectives& ranks) {
  for (const Way& way : ways) {
    SCOPED_TRACE(name_of(way));
    const training::Training how = trained_so(way, batch);
    expect_of_all_stages(updated_by_one_rank(how, way.n_micro_batches, ranks, 3),
                         [&](ZeroStage g, ZeroStage d) {
                           return after_zero_steps(how, way.n_micro_batches, ranks, g, d, 3);
                         });
  }
}

// Both networks share out anything, a generator's step through a discriminator in shards among
// them: plain, accumulated, clipped, with penalties, in fp16 with a scale that is too large at
// first. Every way of two ranks is in data_parallel_test.cpp.
TEST_P(DataParallel, z2_z6_every_pair_of_zero_stages_has_the_bits_of_one_rank) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    const std::uint32_t n = cell.size();
    constexpr nn::MixedPrecision kFp16{nn::Half::kFp16};
    std::vector<Way> ways{{2 * n, {.clip_norm = 0.1}, &nn::find_penalty("r1")},
                          {n, {.clip_norm = 0.1, .mixed = kFp16}},
                          {3 * n, {.mixed = kFp16}},
                          {n},
                          {2 * n, {.clip_value = 1e-3, .weight_clip = 0.1}}};
    if (n > 4) ways.resize(3);
    expect_of_all_stages(ways, 3 * n + 1, cell);
  });
}

// Gradients and parameters are shared out where both numbers come out even, moments alone
// elsewhere.
TEST_P(DataParallel, ga_each_network_has_micro_batches_of_its_own) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    const std::uint32_t n = cell.size();
    training::Training how{nn::make_model("mlp-2d"), 4 * n, {.penalty = &nn::find_penalty("r1")}};
    how.options.average_decay = 0.9;
    for (const auto& [of_g, of_d] : {std::pair{2 * n, n}, std::pair{n, 3 * n},
                                     std::pair{n + 1, 2 * n}, std::pair{3 * n, n + 2}}) {
      training::Training alike = how;
      alike.n_micro_batches_of_discriminator = 0;
      how.n_micro_batches_of_discriminator = of_d;
      const training::Pair wanted = by_one_rank(how, of_g, cell, 3);
      const training::Pair of_equals = by_one_rank(alike, of_g, cell, 3);
      if (of_g != of_d) {
        EXPECT_NE(wanted.d, of_equals.d);
      }
      using enum ZeroStage;
      for (const auto& [g, d] : {std::pair{kMoments, kMoments}, std::pair{kParameters, kGradients},
                                 std::pair{kGradients, kParameters}}) {
        EXPECT_EQ(after_zero_steps(how, of_g, cell, g, d, 3), wanted)
            << name_of(g, d) << ", " << of_g << " and " << of_d << " micro-batches";
      }
    }
  });
}

// Batch norm by itself and synchronised, spectral norm, classes, dropout, skips.
TEST_P(DataParallel, z6_images_have_the_bits_of_one_rank_in_shards) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    std::vector<training::Training> all = training::with_options();
    all.push_back({nn::testing::tiny_image_gan(), 4, {.sync_batch_norm = true}});
    for (const training::Training& one : all) {
      const training::Training how = for_ranks(one, 2 * cell.size());
      const std::uint32_t n = how.options.sync_batch_norm ? 2 * cell.size() : cell.size();
      const training::Pair wanted = by_one_rank(how, n, cell, 2);
      EXPECT_EQ(after_zero_steps(how, n, cell, ZeroStage::kParameters, ZeroStage::kMoments, 2),
                wanted);
      EXPECT_EQ(after_zero_steps(how, n, cell, ZeroStage::kGradients, ZeroStage::kParameters, 2),
                wanted);
    }
    training::Training mixed{nn::testing::tiny_image_gan(), 2 * cell.size()};
    mixed.options.average_decay = 0.9;
    mixed.optimizer = {.clip_norm = 0.1, .mixed = {nn::Half::kFp16}};
    EXPECT_EQ(after_zero_steps(mixed, 2 * cell.size(), cell, ZeroStage::kParameters,
                               ZeroStage::kParameters, 3),
              by_one_rank(mixed, 2 * cell.size(), cell, 3));
  });
}

// Ranks without a shard, and micro-batches that do not come out even, where moments alone are
// shared out.
TEST_P(DataParallel, z5_ranks_may_have_shards_of_any_size_in_every_stage) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    const nn::GanSpec small{{{3}, {{5}, {2}}}, {{2}, {{700}, {1}}}};
    training::Training how{small, 2 * cell.size() + 1};
    how.optimizer.clip_norm = 1e-3;
    for (const std::uint32_t n : {2 * cell.size(), cell.size() + 1}) {
      const training::Pair wanted = by_one_rank(how, n, cell, 5);
      for (const ZeroStage zero : kZeroStages) {
        EXPECT_EQ(after_zero_steps(how, n, cell, zero, zero, 5), wanted) << name_of(zero, zero);
      }
    }
  });
}

// Sums of everybody are taken in between; values come in several pieces.
TEST_P(CollectivesConformance, what_is_expected_may_be_asked_for_after_what_comes_behind_it) {
  on_every_rank([](Communicator world) {
    WorldLink link(world);
    CellCollectives cell(link, 7);
    const auto for_others = [&](const auto& visit) {
      for (std::uint32_t other = 0; other < cell.size(); ++other) {
        if (other != cell.rank()) visit(other);
      }
    };
    const auto numbers = [](std::size_t n, std::uint32_t rank) {
      return std::vector<float>(n, static_cast<float>(n + rank));
    };
    for (const std::size_t n : {20U, 0U, 7U}) {
      for_others([&](std::uint32_t other) {
        cell.expect(other, n);
        cell.send(other, numbers(n, cell.rank()));
      });
      const std::vector<float> rows = rows_of(cell.rank(), 50);
      std::vector<float> sum(50);
      cell.all_reduce(rows, sum);
      EXPECT_EQ(sum, sum_of_all(cell.size(), 50));
    }
    for (const std::size_t n : {20U, 0U, 7U}) {
      for_others([&](std::uint32_t other) {
        std::vector<float> values(n);
        cell.receive_expected(other, values);
        EXPECT_EQ(values, numbers(n, other));
      });
    }
  });
}

}  // namespace lipizz::parallel
