#include "nn/train/timing_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "nn/support.hpp"

namespace lipizz::nn::timing_run_test {
namespace {

TEST(TimingRun, trains_every_kind_of_pair_that_there_is) {
  for (const auto& device : testing::devices()) {
    for (const char* model : {"mlp", "dcgan28", "pix2pix32"}) {
      TimingRun run(*device, make_model(model), 2, 2);
      run.train_generators();
      run.train_discriminators();
      for (const std::uint32_t m : {0U, 1U}) {
        EXPECT_TRUE(std::isfinite(run.loss(m))) << model << " on " << device->name();
      }
    }
  }
}

TEST(TimingRun, its_steps_are_those_that_it_is_told) {
  for (const auto& device : testing::devices()) {
    const GanSpec gan = make_model("mlp-2d");
    TimingRun plain(*device, gan, 4, 1);
    TimingRun other(*device, gan, 4, 1,
                    {.generator = {.kind = find_optimizer("sgd")},
                     .discriminator = {.kind = find_optimizer("rmsprop"), .weight_clip = 0.01},
                     .generator_options = {.average_decay = 0.9}});
    for (int step = 0; step < 3; ++step) {
      for (TimingRun* run : {&plain, &other}) {
        run->train_generators();
        run->train_discriminators();
      }
    }
    EXPECT_NE(plain.loss(0), other.loss(0)) << device->name();
  }
}

TEST(TimingRun, counts_what_it_asks_of_the_device) {
  for (const auto& device : testing::devices()) {
    const GanSpec gan = make_model("mlp-2d");
    const TimingRun alone(*device, gan, 4, 1);
    const TimingRun three(*device, gan, 4, 3);
    EXPECT_GT(alone.n_launches(), 20U) << device->name();
    EXPECT_EQ(three.n_launches() % alone.n_launches(), 0U) << device->name();
  }
}

TEST(TimingRun, networks_change_with_each_step) {
  const auto device = testing::devices().front();
  TimingRun run(*device, make_model("mlp-2d"), 4, 1);
  run.train_discriminators();
  const float first = run.loss(0);
  run.train_discriminators();
  EXPECT_NE(run.loss(0), first);
}

}  // namespace
}  // namespace lipizz::nn::timing_run_test
