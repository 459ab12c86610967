#pragma once

#include <algorithm>
#include <vector>

#include "nn/network/network_stages.hpp"
#include "parallel/cell_pipeline.hpp"
#include "parallel/conformance.hpp"

/// The requirements on pipelines, on every transport and for any number of ranks. PP-1 and the like
/// are names of ours for the properties of pipelines, MP-1 of models that are cut, HY-1 of
/// pipelines beside data parallelism.
namespace lipizz::parallel {

class PipelineParallel : public Conformance {};

// The ranks of a world as pipelines of so many stages.
struct PipelinedCell {
  PipelinedCell(Communicator& world, std::uint32_t n_stages,
                nn::PipelineSchedule schedule = nn::PipelineSchedule::k1F1B)
      : link(world), all(link), pipelined(link, {n_stages, schedule}) {}
  WorldLink link;
  CellCollectives all;
  CellPipeline pipelined;
};

// Brings what stages have updated to all of them.
inline void gather_stages(const nn::NetworkSpec& network, const nn::NetworkStages& stages,
                          const nn::Pipeline& pipeline, std::span<float> values) {
  if (pipeline.n_stages() == 1) return;
  const nn::ParameterLayout layout = nn::parameter_layout(network);
  const nn::NetworkStages::Tensors& own = stages.tensors[pipeline.stage()];
  for (std::size_t first = 0; first < values.size(); first += layout.n_padded) {
    const std::span<float> of_one = values.subspan(first, layout.n_padded);
    const std::span<float> parameters = of_one.first(layout.n_parameters);
    pipeline.stages->all_gather(of_one.subspan(own.parameters.first, own.parameters.n), parameters);
    if (layout.statistics.empty()) continue;
    const std::span<float> statistics = of_one.subspan(
        layout.statistics.front().offset, layout.statistics.back().offset +
                                              nn::n_elements(layout.statistics.back().shape) -
                                              layout.statistics.front().offset);
    pipeline.stages->all_gather(of_one.subspan(own.statistics.first, own.statistics.n), statistics);
  }
}

inline training::Pair after_pipelined_steps(training::Training how, std::uint32_t n_micro_batches,
                                            PipelinedCell& cell, std::uint32_t steps) {
  how.options.n_micro_batches = n_micro_batches;
  nn::Engine engine = engine_with(&cell.all);
  const nn::Pipeline& pipeline = cell.pipelined.pipeline();
  engine.pipeline = &pipeline;
  nn::HostDevice device(engine);
  std::vector<training::Pair> pairs{training::Pair(how.gan)};
  training::train(device, how, pairs, steps);
  training::Pair& pair = pairs.front();
  const nn::PairStages stages = nn::pair_stages(how.gan, pipeline.n_stages());
  for (nn::Buffer<float>* buffer : {&pair.g, &pair.g_moments, &pair.average}) {
    gather_stages(how.gan.generator, stages.generator, pipeline, *buffer);
  }
  for (nn::Buffer<float>* buffer : {&pair.d, &pair.d_moments}) {
    gather_stages(how.gan.discriminator, stages.discriminator, pipeline, *buffer);
  }
  if (pipeline.n_stages() == 1) {
    gather_moments(how.gan.generator, how.optimizer, cell.all, pair.g_moments);
    gather_moments(how.gan.discriminator, how.optimizer, cell.all, pair.d_moments);
  }
  return pair;
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
      const training::Pair wanted = after_steps(how, 4, nullptr, 2);
      EXPECT_EQ(after_pipelined_steps(how, 4, gpipe, 2), wanted);
      EXPECT_EQ(after_pipelined_steps(how, 4, f1b1, 2), wanted);
      EXPECT_EQ(after_pipelined_steps(how, 1, f1b1, 1), after_steps(how, 1, nullptr, 1));
    }
  });
}

TEST_P(PipelineParallel, pp1_any_number_of_micro_batches_passes_through) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    PipelinedCell cell(world, static_cast<std::uint32_t>(world.size()));
    const training::Training how{nn::testing::tiny_image_gan(), 8};
    for (const std::uint32_t n : {1U, 2U, 4U, 6U, 8U}) {
      EXPECT_EQ(after_pipelined_steps(how, n, cell, 1), after_steps(how, n, nullptr, 1)) << n;
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
        EXPECT_EQ(after_pipelined_steps(how, 9, cell, 2), after_steps(how, 9, nullptr, 2));
      }
      const training::Training small{nn::make_model("mlp-2d"), 12};
      EXPECT_EQ(after_pipelined_steps(small, 9, cell, 20), after_steps(small, 9, nullptr, 20));
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
        how.optimizer = {
            .kind = nn::find_optimizer(row.name), .clip_norm = 1e-3, .weight_clip = 0.1};
        EXPECT_EQ(after_pipelined_steps(how, 9, cell, 3), after_steps(how, 9, nullptr, 3))
            << row.name;
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
        EXPECT_EQ(found, after_steps(how, 9, nullptr, 3));
        how.optimizer.mixed = {nn::Half::kBf16};
        how.spoilt_sample.reset();
        EXPECT_EQ(after_pipelined_steps(how, 9, cell, 2), after_steps(how, 9, nullptr, 2));
      }
    }
  });
}

}  // namespace lipizz::parallel
