#include "nn/train/program_memory.hpp"

#include <gtest/gtest.h>

#include "nn/cpu/numerics.hpp"
#include "nn/cpu/plan.hpp"
#include "nn/support.hpp"

namespace lipizz::nn::program_memory_test {
namespace {

constexpr Engine kReference{};

TEST(ProgramMemory, of_a_network_in_use_is_its_two_largest_neighbours) {
  // 3 -> 40 -> 30 -> 2 for 16 rows: the last result lies in the caller's memory.
  const NetworkSpec network{{3}, {{40}, {30}, {2}}};
  EXPECT_EQ(inference_bytes(kReference, network, 16).of_arenas(), 4U * 16 * (40 + 30));
}

TEST(ProgramMemory, of_a_step_grows_with_its_batch) {
  const GanSpec gan = make_model("dcgan28");
  for (const Engine& engine : testing::engines()) {
    const auto both = [&](std::uint32_t batch) {
      return static_cast<double>(generator_step_bytes(engine, gan, {}, batch).total() +
                                 discriminator_step_bytes(engine, gan, {}, batch).total());
    };
    EXPECT_NEAR((both(96) - both(64)) / (both(64) - both(32)), 1, 0.2);
    // The results of the generator's layers are kept until its gradients are computed.
    EXPECT_GT(both(32), 4.0 * 32 * (2 * 7 * 7 * 128 + 2 * 14 * 14 * 64 + 28 * 28));
  }
}

TEST(ProgramMemory, of_a_step_shrinks_with_its_micro_batches) {
  const GanSpec gan = make_model("dcgan28");
  for (const Engine& engine : testing::engines()) {
    const auto arena = [&](std::uint32_t n) {
      return static_cast<double>(
          discriminator_step_bytes(engine, gan, {}, 64, {.n_micro_batches = n}).of_arenas());
    };
    EXPECT_LT(arena(4), arena(1) / 2);
    EXPECT_LT(arena(16), arena(4) / 2);
  }
}

// All values are there at once.
TEST(ProgramMemory, of_a_step_with_synchronised_batch_norm_does_not_shrink) {
  const GanSpec gan = testing::tiny_image_gan();
  const auto arena = [&](std::uint32_t n) {
    const StepOptions options{.n_micro_batches = n, .sync_batch_norm = true};
    return static_cast<double>(generator_step_bytes(kReference, gan, {}, 64, options).of_arenas());
  };
  EXPECT_GT(arena(4), 0.8 * arena(1));
}

TEST(ProgramMemory, of_a_step_on_threads_is_that_of_as_many_micro_batches) {
  const GanSpec gan = make_model("dcgan28");
  for (Engine engine : testing::engines()) {
    const auto arena = [&](std::uint32_t n_threads) {
      engine.n_threads = n_threads;
      return static_cast<double>(
          discriminator_step_bytes(engine, gan, {}, 64, {.n_micro_batches = 4}).of_arenas());
    };
    EXPECT_NEAR(arena(2) / arena(1), 2, 0.3);
    EXPECT_NEAR(arena(4) / arena(2), 2, 0.3);
    EXPECT_EQ(arena(8), arena(4));
  }
}

// 8 images of 28x28 in windows of 4x4x64 make 3 MB: no more than 2 MiB of them are held.
TEST(ProgramMemory, counts_the_windows_that_a_convolution_is_cut_into) {
  if (!is_available(Backend::kOneDnn)) GTEST_SKIP();
  const Window halving{.kernel = 4, .stride = 2, .padding = 1};
  const NetworkSpec network{{28, 28, 64},
                            {{.outputs = 5, .kind = &kConvolutionLayer, .window = halving}}};
  const Engine engine{Backend::kOneDnn, NumericsLevel::kBaseline};
  EXPECT_EQ(inference_bytes(kReference, network, 8).total(), 0U);
  EXPECT_EQ(inference_bytes(engine, network, 8).total(), 4U * 2 * 14 * 14 * 4 * 4 * 64);
}

}  // namespace
}  // namespace lipizz::nn::program_memory_test
