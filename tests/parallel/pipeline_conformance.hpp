#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "parallel/cell_pipeline.hpp"
#include "parallel/conformance.hpp"

/// The requirements on pipelines, on every transport and for any number of ranks. PP-1 and the like
/// are names of ours for the properties of pipelines, MP-1 of models that are cut, HY-1 of
/// pipelines beside data parallelism.
namespace lipizz::parallel {

class PipelineParallel : public Conformance {};

// The ranks of a world as pipelines of so many stages.
struct PipelinedCell {
  PipelinedCell(Communicator& world, const nn::PipelineSpec& spec)
      : link(world), all(link), pipelined(link, spec) {}
  PipelinedCell(Communicator& world, std::uint32_t n_stages,
                nn::PipelineSchedule schedule = nn::PipelineSchedule::k1F1B)
      : PipelinedCell(world, {n_stages, schedule}) {}
  WorldLink link;
  CellCollectives all;
  CellPipeline pipelined;
};

inline training::Pair after_pipelined_steps(const training::Training& how,
                                            std::uint32_t n_micro_batches, PipelinedCell& cell,
                                            std::uint32_t steps) {
  nn::Engine engine = engine_with(&cell.all);
  engine.pipeline = &cell.pipelined.pipeline();
  nn::HostDevice device(engine);
  return after_steps_on(device, how, n_micro_batches, steps);
}

inline std::vector<training::Training> all_kinds() {
  std::vector<training::Training> all = training::with_options();
  all.push_back({nn::testing::tiny_image_gan(), 7});
  all.push_back({nn::make_model("mlp-2d"), 11});
  return all;
}

// Cuts within residual blocks and between the ends of a U-Net's skips are among these, penalties
// and generators whose gradients pass through a frozen discriminator (PP-4), batch norm, whose
// statistics are those of a micro-batch, and stages without layers.
TEST_P(PipelineParallel, pp1_pp4_mp1_stages_have_the_bits_of_one_rank) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    const auto n_ranks = static_cast<std::uint32_t>(world.size());
    PipelinedCell gpipe(world, n_ranks, nn::PipelineSchedule::kGpipe);
    PipelinedCell f1b1(world, n_ranks, nn::PipelineSchedule::k1F1B);
    std::vector<training::Training> all = all_kinds();
    if (n_ranks > 4) all.erase(all.begin() + 2, all.end());  // most stages have no layer
    for (const training::Training& one : all) {
      const training::Training how = for_ranks(one, 4);
      const training::Pair wanted = by_one_rank(how, 4, gpipe.all, 2);
      EXPECT_EQ(after_pipelined_steps(how, 4, gpipe, 2), wanted);
      EXPECT_EQ(after_pipelined_steps(how, 4, f1b1, 2), wanted);
      EXPECT_EQ(after_pipelined_steps(how, 1, f1b1, 1), by_one_rank(how, 1, f1b1.all, 1));
    }
  });
}

TEST_P(PipelineParallel, pp1_any_number_of_micro_batches_passes_through) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    PipelinedCell cell(world, static_cast<std::uint32_t>(world.size()));
    const training::Training how{nn::testing::tiny_image_gan(), 8};
    for (const std::uint32_t n : {1U, 2U, 4U, 6U, 8U}) {
      EXPECT_EQ(after_pipelined_steps(how, n, cell, 1), by_one_rank(how, n, cell.all, 1)) << n;
    }
  });
}

TEST_P(PipelineParallel, ga_each_network_has_micro_batches_of_its_own) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    PipelinedCell cell(world, static_cast<std::uint32_t>(world.size()));
    training::Training how{nn::testing::tiny_image_gan(), 8};
    for (const auto& [of_g, of_d] : {std::pair{2U, 4U}, std::pair{8U, 1U}}) {
      how.n_micro_batches_of_discriminator = of_d;
      EXPECT_EQ(after_pipelined_steps(how, of_g, cell, 2), by_one_rank(how, of_g, cell.all, 2));
    }
  });
}

// Where two stages cut a network: the pair of it and an opponent that weighs as much as it takes at
// the first stage or at the last one, by the number of layers in front.
using PairsByCut = std::map<std::ptrdiff_t, std::pair<nn::GanSpec, nn::NetworkCuts>>;

inline PairsByCut pairs_by_cut(nn::GanSpec gan, bool of_generator) {
  PairsByCut all;
  nn::NetworkSpec& opponent = of_generator ? gan.discriminator : gan.generator;
  const std::uint32_t n_outputs = of_generator ? 1 : gan.sample();
  const nn::NetworkCuts whole_opponent{of_generator ? 0U : 1U, of_generator ? 1U : 0U};
  for (double n_hidden = 1; n_hidden < 3000; n_hidden *= 1.2) {
    opponent.layers = {{static_cast<std::uint32_t>(n_hidden), nn::Activation::kTanh}, {n_outputs}};
    for (const nn::NetworkCuts& cuts : {nn::NetworkCuts{}, whole_opponent}) {
      const nn::PairStages stages = nn::pair_stages(gan, 2, nn::PipelineBalance::kTime, cuts);
      const nn::NetworkStages& own = of_generator ? stages.generator : stages.discriminator;
      all.try_emplace(std::ranges::count(own.of_layer, 0U), gan, cuts);
    }
  }
  return all;
}

// Between any two layers, those of a U-Net and of a residual block among them.
TEST_P(PipelineParallel, pp1_mp1_networks_may_be_cut_at_any_layer) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    if (world.size() != 2) return;
    const nn::GanSpec convolutions = nn::testing::tiny_image_gan();
    const nn::GanSpec u_net = training::small_gan_with_skips();
    const nn::GanSpec residual{{{5}, {}}, u_net.discriminator};
    for (const auto& [gan, of_generator] :
         {std::pair(convolutions, true), {convolutions, false}, {u_net, true}, {residual, false}}) {
      const PairsByCut all = pairs_by_cut(gan, of_generator);
      const auto& network = of_generator ? gan.generator : gan.discriminator;
      EXPECT_EQ(all.size(), network.layers.size() - 1);
      for (const auto& [n_in_front, cut] : all) {
        PipelinedCell cell(world, nn::PipelineSpec{.n_stages = 2, .cuts = cut.second});
        const training::Training how{cut.first, 4};
        EXPECT_EQ(after_pipelined_steps(how, 2, cell, 1), by_one_rank(how, 2, cell.all, 1))
            << n_in_front << " of " << network.layers.size() << " layers in front";
      }
    }
  });
}

// The generator at the first stages and the discriminator at the last ones, so that some have
// layers of one of them alone.
TEST_P(PipelineParallel, mp1_networks_may_be_at_stages_of_their_own) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    const auto n_ranks = static_cast<std::uint32_t>(world.size());
    if (n_ranks > 4) return;  // most stages have no layer
    for (const nn::NetworkCuts& cuts :
         {nn::NetworkCuts{1, n_ranks - 1}, {n_ranks - 1, 1}, {.discriminator = 1}}) {
      PipelinedCell cell(world, nn::PipelineSpec{.n_stages = n_ranks, .cuts = cuts});
      for (const training::Training& one : all_kinds()) {
        const training::Training how = for_ranks(one, 4);
        EXPECT_EQ(after_pipelined_steps(how, 4, cell, 2), by_one_rank(how, 4, cell.all, 2));
      }
      training::Training small{nn::make_model("mlp-2d"), 12, {.penalty = &nn::find_penalty("r1")}};
      small.optimizer = {.clip_norm = 1e-3, .mixed = {nn::Half::kFp16}};
      small.options.average_decay = 0.9;
      EXPECT_EQ(after_pipelined_steps(small, 4, cell, 3), by_one_rank(small, 4, cell.all, 3));
    }
  });
}

// Every way of dealing ranks out to stages and replicas.
TEST_P(PipelineParallel, hy1_stages_and_replicas_have_the_bits_of_one_rank) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    for (const std::uint32_t n_stages : {1U, 2U, 4U}) {
      if (world.size() % static_cast<int>(n_stages) != 0) continue;
      PipelinedCell cell(world, n_stages);
      EXPECT_EQ(cell.pipelined.pipeline().n_stages(), n_stages);
      for (const training::Training& one : {all_kinds().front(), all_kinds().back()}) {
        const training::Training how = for_ranks(one, 9);
        EXPECT_EQ(after_pipelined_steps(how, 9, cell, 2), by_one_rank(how, 9, cell.all, 2));
      }
      const training::Training small{nn::make_model("mlp-2d"), 12};
      EXPECT_EQ(after_pipelined_steps(small, 9, cell, 20), by_one_rank(small, 9, cell.all, 20));
    }
  });
}

inline training::Pair after_sharing_steps(training::Training how, std::uint32_t n_micro_batches,
                                          PipelinedCell& cell, ZeroStage g, ZeroStage d,
                                          std::uint32_t steps) {
  how.optimizer.zero = g;
  how.zero_of_discriminator = d;
  return after_pipelined_steps(how, n_micro_batches, cell, steps);
}

// Replicas share out stages with layers of one network alone.
TEST_P(PipelineParallel, z6_stages_of_one_network_are_shared_out) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    if (world.size() % 4 != 0) return;
    const auto n = static_cast<std::uint32_t>(world.size());
    PipelinedCell cell(world, nn::PipelineSpec{.n_stages = 2, .cuts = {1, 1}});
    std::vector<Way> ways = ways_of_updates(std::vector{n});
    if (n > 4) ways = {ways[1], ways[2]};  // in fp16, clipped
    for (Way way : ways) {
      way.penalty = &nn::find_penalty("r1");
      SCOPED_TRACE(name_of(way));
      const training::Training how = trained_so(way, 2 * n);
      expect_of_all_stages(updated_by_one_rank(how, n, cell.all, 2), [&](ZeroStage g, ZeroStage d) {
        return after_sharing_steps(how, n, cell, g, d, 2);
      });
    }
  });
}

TEST_P(PipelineParallel, ga_replicas_share_out_networks_with_micro_batches_of_their_own) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    if (world.size() % 4 != 0) return;
    PipelinedCell cell(world, 2);
    training::Training how{nn::make_model("mlp-2d"), 24};
    how.n_micro_batches_of_discriminator = 8;
    for (const std::uint32_t of_g : {4U, 6U}) {
      const training::Pair wanted = by_one_rank(how, of_g, cell.all, 2);
      using enum ZeroStage;
      EXPECT_EQ(after_sharing_steps(how, of_g, cell, kParameters, kGradients, 2), wanted) << of_g;
      EXPECT_EQ(after_sharing_steps(how, of_g, cell, kGradients, kParameters, 2), wanted) << of_g;
    }
  });
}

// Replicas of each stage share out anything of both networks: accumulated or not, clipped in blocks
// that lie across stages or not, in fp16 (with a scale that is too large at first) or not, and with
// penalties.
TEST_P(PipelineParallel, z2_z6_every_pair_of_zero_stages_has_the_bits_of_one_rank) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    if (world.size() % 4 != 0) return;
    PipelinedCell cell(world, 2);
    const std::uint32_t n = static_cast<std::uint32_t>(world.size());
    std::vector<Way> ways = ways_of_updates(std::vector{n / 2, 2 * n});
    ways.push_back({2 * n, {.clip_norm = 0.1}, &nn::find_penalty("r1")});
    ways.push_back({2 * n, {.weight_clip = 0.1}});
    if (n > 4) ways = {ways[3], ways[5]};  // in fp16: clipped, accumulated
    for (const Way& way : ways) {
      SCOPED_TRACE(name_of(way));
      const training::Training how = trained_so(way, 2 * n);
      expect_of_all_stages(updated_by_one_rank(how, way.n_micro_batches, cell.all, 3),
                           [&](ZeroStage g, ZeroStage d) {
                             return after_sharing_steps(how, way.n_micro_batches, cell, g, d, 3);
                           });
    }
  });
}

// Four stages, batch norm, spectral norm, skips, several buckets to a stage, and both schedules.
TEST_P(PipelineParallel, z6_images_have_the_bits_of_one_rank_in_shards) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    if (world.size() % 4 != 0) return;
    const auto n = static_cast<std::uint32_t>(world.size());
    PipelinedCell two(world, 2, nn::PipelineSchedule::kGpipe);
    PipelinedCell four(world, 4);
    std::vector<training::Training> all = all_kinds();
    all.push_back({nn::make_model("mlp"), n});
    for (training::Training how : {all[0], all[1], all.back()}) {
      how.batch = n;
      const training::Pair wanted = by_one_rank(how, n, two.all, 2);
      using enum ZeroStage;
      EXPECT_EQ(after_sharing_steps(how, n, two, kParameters, kMoments, 2), wanted);
      EXPECT_EQ(after_sharing_steps(how, n, four, kGradients, kParameters, 2), wanted);
    }
  });
}

// Stages that are shorter than a block, replicas without a shard, and micro-batches that do not
// come out even, where moments alone are shared out.
TEST_P(PipelineParallel, z5_replicas_may_have_shards_of_any_size) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    const nn::GanSpec small{{{3}, {{5}, {2}}}, {{2}, {{7}, {90}, {9}, {200}, {1}}}};
    for (const std::uint32_t n_stages : {2U, 4U}) {
      if (world.size() % static_cast<int>(n_stages) != 0) continue;
      PipelinedCell cell(world, n_stages);
      training::Training how{small, 5 * static_cast<std::uint32_t>(world.size())};
      how.optimizer.clip_norm = 1e-3;
      for (const std::uint32_t n : {static_cast<std::uint32_t>(world.size()), 5U}) {
        const training::Pair wanted = by_one_rank(how, n, cell.all, 5);
        for (const ZeroStage zero : kZeroStages) {
          EXPECT_EQ(after_sharing_steps(how, n, cell, zero, zero, 5), wanted)
              << name_of(zero, zero) << ", " << n << " micro-batches in " << n_stages << " stages";
        }
      }
    }
  });
}

// The last stages know the losses, of their micro-batches.
TEST_P(PipelineParallel, a_loss_is_that_of_all_micro_batches) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    if (world.size() % 2 != 0) return;
    PipelinedCell cell(world, 2);
    nn::Engine engine = engine_with(&cell.all);
    engine.pipeline = &cell.pipelined.pipeline();
    const nn::StepOptions options{.penalty = &nn::find_penalty("r1")};
    EXPECT_EQ(loss_of_step(engine, options), loss_of_step(engine_with(nullptr), options));
  });
}

// The length is that of all stages' gradients, in blocks that lie across their ends.
TEST_P(PipelineParallel, clip1_clip2_gradients_are_clipped_as_on_one_rank) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    for (const std::uint32_t n_stages : {2U, 3U, 4U}) {
      if (world.size() % static_cast<int>(n_stages) != 0) continue;
      PipelinedCell cell(world, n_stages);
      for (const nn::OptimizerEntry& row : nn::optimizers()) {
        training::Training how{nn::make_model("mlp-2d"), 12};
        how.optimizer = {.kind = nn::find_optimizer(row.name),
                         .clip_norm = 1e-3,
                         .clip_value = 1e-5,
                         .weight_clip = 0.1};
        const training::Pair wanted = by_one_rank(how, 9, cell.all, 3);
        EXPECT_EQ(after_pipelined_steps(how, 9, cell, 3), wanted) << row.name;
        how.optimizer.clip_value = 0;
        EXPECT_NE(by_one_rank(how, 9, cell.all, 3), wanted) << row.name;
      }
    }
  });
}

// Each stage has a state of the loss scale, those without layers too, and all have the same.
TEST_P(PipelineParallel, amp1_amp_stages_have_the_bits_of_one_rank) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    for (const std::uint32_t n_stages : {2U, 3U, 4U, 8U}) {
      if (world.size() % static_cast<int>(n_stages) != 0) continue;
      PipelinedCell cell(world, n_stages);
      training::Training small{nn::make_model("mlp-2d"), 12, {.penalty = &nn::find_penalty("r1")}};
      small.spoilt_sample = 2 * small.batch - 1;
      for (training::Training how : {small, for_ranks(all_kinds().front(), 9)}) {
        how.optimizer.mixed = {nn::Half::kFp16};
        const training::Pair found = after_pipelined_steps(how, 9, cell, 3);
        EXPECT_EQ(found, by_one_rank(how, 9, cell.all, 3));
        how.optimizer.mixed = {nn::Half::kBf16};
        how.spoilt_sample.reset();
        EXPECT_EQ(after_pipelined_steps(how, 9, cell, 2), by_one_rank(how, 9, cell.all, 2));
      }
    }
  });
}

}  // namespace lipizz::parallel
