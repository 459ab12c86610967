#pragma once

#include <cstdlib>
#include <memory>
#include <vector>

#include "nn/exec/devices.hpp"
#include "nn/far_device.hpp"
#include "parallel/pipeline_conformance.hpp"

/// The requirements on ranks whose devices have memory of their own, on every transport and for any
/// number of ranks.
namespace lipizz::parallel {

class DeviceRanks : public Conformance {};

// That of LIPIZZ_TEST_DEVICE, which all ranks share then, or one that the host plays.
inline std::unique_ptr<nn::Device> device_of_rank(nn::Collectives* collectives,
                                                  const nn::Pipeline* pipeline = nullptr) {
  nn::Engine engine;
  engine.collectives = collectives;
  engine.pipeline = pipeline;
  if (const char* name = std::getenv("LIPIZZ_TEST_DEVICE"); name != nullptr) {
    return nn::open_device(name, engine);
  }
  engine.make_kernel = nn::testing::make_host_kernel;
  return std::make_unique<nn::testing::FarDevice>(engine);
}

// Updates are made together there, of what each rank shares out: whole networks, shards, buckets.
TEST_P(DeviceRanks, share_steps_with_the_bits_of_one_device) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    WorldLink link(world);
    CellCollectives cell(link);
    const auto alone = device_of_rank(nullptr);
    const auto shared = device_of_rank(&cell);
    const std::uint32_t n = cell.size();
    training::Training points{
        nn::make_model("mlp-2d"), 2 * n, {.penalty = &nn::find_penalty("r1")}};
    points.options.average_decay = 0.9;
    training::Training clipped = points, halved = points;
    clipped.optimizer.clip_norm = 0.1;
    clipped.optimizer.moments_on_host = true;
    halved.optimizer.mixed = {nn::Half::kFp16};
    const training::Training images{
        nn::testing::tiny_image_gan(), 2 * n, {.sync_batch_norm = true}};
    for (training::Training how : {points, clipped, halved, images, all_kinds().front()}) {
      how = for_ranks(how, 2 * n);
      const training::Pair wanted = by_one_rank_on(*alone, how, 2 * n, cell, 2);
      using enum ZeroStage;
      for (const auto& [g, d] : {std::pair{kNothing, kMoments}, std::pair{kGradients, kParameters},
                                 std::pair{kParameters, kGradients}}) {
        how.optimizer.zero = g;
        how.zero_of_discriminator = d;
        EXPECT_EQ(after_steps_on(*shared, how, 2 * n, 2), wanted) << name_of(g, d);
      }
    }
  });
}

TEST_P(DeviceRanks, pass_micro_batches_on_with_the_bits_of_one_device) {
  on_every_rank([](Communicator world) {
    nn::prepare_compute_thread();
    if (world.size() % 2 != 0) return;
    const auto alone = device_of_rank(nullptr);
    for (const std::uint32_t n_stages : {2U, static_cast<std::uint32_t>(world.size())}) {
      PipelinedCell cell(world, n_stages);
      const auto shared = device_of_rank(&cell.all, &cell.pipelined.pipeline());
      for (training::Training how : {all_kinds().front(), all_kinds().back()}) {
        how.batch = 8;
        const training::Pair wanted = by_one_rank_on(*alone, how, 4, cell.all, 2);
        for (const ZeroStage zero : {ZeroStage::kMoments, ZeroStage::kParameters}) {
          how.optimizer.zero = zero;
          EXPECT_EQ(after_steps_on(*shared, how, 4, 2), wanted) << name_of(zero, zero);
        }
      }
    }
  });
}

}  // namespace lipizz::parallel
