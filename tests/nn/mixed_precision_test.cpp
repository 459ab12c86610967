#include "nn/base/mixed_precision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "nn/gan_training.hpp"
#include "nn/support.hpp"
#include "nn/train/gan_step.hpp"

// Whole training steps in mixed precision, and such as are left out. AMP-1 and the like are names
// of ours for the properties of mixed precision, CLIP-3 of gradients that are clipped.
namespace lipizz::nn::mixed_precision_test {
namespace {

using namespace testing::gan_training;

// The only sample of the second step whose number is not finite.
constexpr std::uint32_t kOfSecondStep = kBatch + 3;

Training training_with(const MixedPrecision& mixed, double clip_norm = 0) {
  Training how{make_model("mlp-2d")};
  how.optimizer.mixed = mixed;
  how.optimizer.clip_norm = clip_norm;
  return how;
}

Pair after(Device& device, const Training& how, std::uint32_t n_steps) {
  std::vector<Pair> pairs{Pair(how.gan)};
  train(device, how, pairs, n_steps);
  return pairs.front();
}

// The discriminator sees the spoilt sample in its second step of three; the third is the one that
// it would make had it not been there.
void expect_a_step_left_out(Device& device, Training how) {
  const Pair first = after(device, how, 1);
  how.spoilt_sample = kOfSecondStep;
  const Pair second = after(device, how, 2);
  EXPECT_EQ(second.d, first.d) << device.name();
  EXPECT_EQ(second.d_moments, first.d_moments);
  EXPECT_EQ(second.d_history.n_skipped, 1U);
  EXPECT_EQ(second.g_history.n_skipped, 0U);
  const Pair third = after(device, how, 3);
  EXPECT_NE(third.d, second.d);
  EXPECT_EQ(third.d_history.n_skipped, 1U);
}

TEST(Amp, amp1_an_update_is_left_out_whose_gradient_is_not_finite) {
  for (const auto& device : testing::devices()) {
    const Training how = training_with({Half::kFp16});
    expect_a_step_left_out(*device, how);
    Training spoilt = how;
    spoilt.spoilt_sample = kOfSecondStep;
    const Pair second = after(*device, spoilt, 2);
    EXPECT_EQ(second.d_history, (GradientHistory{LossScale::kInitial / 2, 0, 1}));
    EXPECT_EQ(second.g_history, (GradientHistory{LossScale::kInitial, 2, 0}));
  }
}

TEST(Amp, clip3_an_update_is_left_out_whose_length_is_no_number) {
  for (const auto& device : testing::devices()) {
    expect_a_step_left_out(*device, training_with({}, 1));
    expect_a_step_left_out(*device, training_with({Half::kBf16}, 1));
    expect_a_step_left_out(*device, training_with({Half::kFp16, 128}, 1));
    Training by_value = training_with({});
    by_value.optimizer.clip_value = 1;
    expect_a_step_left_out(*device, by_value);
  }
}

// Running statistics of a batch that no update is made of are left out, too, and so is the average.
TEST(Amp, amp1_nothing_of_a_network_changes_with_an_update_that_is_left_out) {
  for (const auto& device : testing::devices()) {
    for (const std::uint32_t n_micro_batches : {1U, 2U}) {
      for (const bool is_synchronised : {false, true}) {
        Training how{testing::tiny_image_gan(), 4};
        how.options = {.average_decay = 0.9,
                       .is_relativistic = true,  // the generator sees the sample, too
                       .n_micro_batches = n_micro_batches,
                       .sync_batch_norm = is_synchronised};
        how.optimizer.mixed = {Half::kFp16, 128};
        how.spoilt_sample = 5;
        const Pair first = after(*device, how, 1);
        Pair second = after(*device, how, 2);
        EXPECT_EQ(second.d_history.n_skipped, 1U);
        EXPECT_EQ(second.g_history.n_skipped, 1U);
        second.d_history = first.d_history;
        second.g_history = first.g_history;
        EXPECT_TRUE(std::isnan(second.g_loss) && std::isnan(second.d_loss)) << "of that sample";
        second.g_loss = first.g_loss;
        second.d_loss = first.d_loss;
        EXPECT_EQ(second, first) << device->name() << ", " << n_micro_batches;
        EXPECT_NE(after(*device, how, 3), first);
      }
    }
  }
}

// The discriminator after steps on batches from these samples on, of which the last one is spoilt.
Buffer<float> after_steps_from(Device& device, const std::vector<std::uint32_t>& first_samples) {
  const GanSpec gan = make_model("mlp-2d");
  testing::DrawnSamples source = samples_for(gan);
  source.spoil(39);
  OptimizerSpec optimizer;
  optimizer.mixed = {Half::kFp16, 128};
  DiscriminatorStep program(device, gan, optimizer, source, kBatch, 1);
  Pair pair(gan);
  UploadScope uploads(device);
  for (std::uint32_t step = 0; step < first_samples.size(); ++step) {
    const Uploaded uploaded(uploads, pair, kRate, step);
    program.bind(0, uploaded.d, uploaded.g.parameters);
    program.feed(0, feed_of(0, 0, indices(first_samples[step], kBatch)));
    program.run();
  }
  uploads.finish();
  return pair.d;
}

// The step after one that was left out is Adam's second.
TEST(Amp, amp1_updates_that_are_left_out_do_not_count) {
  for (const auto& device : testing::devices()) {
    const Buffer<float> without = after_steps_from(*device, {0, 10});
    EXPECT_EQ(after_steps_from(*device, {0, 25, 10}), without) << device->name();
    EXPECT_EQ(after_steps_from(*device, {25, 30, 0, 10}), without) << device->name();
    EXPECT_NE(after_steps_from(*device, {0, 10, 10}), without) << device->name();
  }
}

// A discriminator whose weights are so small that derivatives by its first layer are below the
// least number of fp16.
Pair after_a_step_of_small_weights(Device& device, const MixedPrecision& mixed) {
  const Training how = training_with(mixed);
  std::vector<Pair> pairs{Pair(how.gan)};
  for (float& weight : pairs.front().d) weight *= 0.01F;
  train(device, how, pairs, 1);
  return pairs.front();
}

TEST(Amp, amp3_small_gradients_are_kept_by_scaling) {
  for (const auto& device : testing::devices()) {
    const auto largest = [&](const MixedPrecision& mixed) {
      const Pair pair = after_a_step_of_small_weights(*device, mixed);
      const std::span<const float> of_first_layer = std::span(pair.d_moments).first(2);
      float most = 0;
      for (const float moment : of_first_layer) most = std::max(most, std::abs(moment));
      return most;
    };
    const float wanted = largest({});
    EXPECT_GT(wanted, 0);
    EXPECT_EQ(largest({Half::kFp16, 1}), 0) << device->name();
    EXPECT_NEAR(largest({Half::kFp16}) / wanted, 1, 0.02) << device->name();
    EXPECT_NEAR(largest({Half::kBf16}) / wanted, 1, 0.1) << device->name();
  }
}

// Losses of the discriminator, step after step.
std::vector<double> losses_with(const MixedPrecision& mixed, std::uint32_t n_steps) {
  const GanSpec gan = testing::tiny_image_gan();
  const StepOptions options{.penalty = &find_penalty("r1"), .penalty_weight = 1};
  OptimizerSpec optimizer;
  optimizer.mixed = mixed;
  const auto devices = testing::devices();
  Device& device = *devices.back();
  const testing::DrawnSamples source = samples_for(gan);
  GeneratorStep g_step(device, gan, optimizer, source, kBatch, 1, options);
  DiscriminatorStep d_step(device, gan, optimizer, source, kBatch, 1, options);
  Pair pair(gan);
  std::vector<double> losses;
  for (std::uint32_t step = 0; step < n_steps; ++step) {
    UploadScope uploads(device);
    const std::vector<std::uint32_t> samples = indices(step * kBatch, kBatch);
    Uploaded uploaded(uploads, pair, kRate, step);
    g_step.bind(0, uploaded.g, uploaded.d.parameters);
    g_step.feed(0, feed_of(1, step, samples));
    g_step.run();
    d_step.bind(0, uploaded.d, uploaded.g.parameters);
    d_step.feed(0, feed_of(2, step, samples));
    d_step.run();
    losses.push_back(static_cast<double>(d_step.loss(0)));
    uploads.finish();
  }
  return losses;
}

// A dynamic scale is too large for the penalty in the first steps, which are left out.
TEST(Amp, amp4_losses_are_those_of_single_precision) {
  constexpr std::uint32_t kSteps = 60;
  const auto mean_of_last = [](const std::vector<double>& losses) {
    return std::accumulate(losses.end() - 30, losses.end(), 0.0) / 30;
  };
  const std::vector<double> wanted = losses_with({}, kSteps);
  for (const MixedPrecision& mixed : {MixedPrecision{Half::kFp16}, MixedPrecision{Half::kFp16, 64},
                                      MixedPrecision{Half::kBf16}}) {
    const std::vector<double> found = losses_with(mixed, kSteps);
    EXPECT_NEAR(mean_of_last(found) / mean_of_last(wanted), 1, mixed.is_dynamic() ? 0.05 : 0.02);
    EXPECT_NE(found, wanted);
  }
}

// The length that is clipped is that of the gradient as it was before its losses were scaled: a
// limit of twice of it changes no bit.
TEST(Amp, amp6_a_gradient_is_unscaled_before_it_is_clipped) {
  for (const auto& device : testing::devices()) {
    const MixedPrecision mixed{Half::kFp16, 1024};
    const Pair free = after(*device, training_with(mixed), 1);
    double square = 0;  // of the gradient: the first moment is half of it
    for (const float moment : std::span(free.d_moments).first(free.d.size())) {
      square += 4 * double{moment} * double{moment};
    }
    const Pair wide = after(*device, training_with(mixed, 2 * std::sqrt(square)), 1);
    EXPECT_EQ(wide.d, free.d) << device->name();
    const Pair half = after(*device, training_with(mixed, std::sqrt(square) / 2), 1);
    EXPECT_NEAR(half.d_moments[0], free.d_moments[0] / 2, 1e-4 * std::abs(free.d_moments[0]));
  }
}

// The penalty is of the derivative as it is unscaled, which is what single precision makes of it.
TEST(Amp, amp6_a_penalty_is_of_the_unscaled_derivative) {
  for (const auto& device : testing::devices()) {
    for (const char* const penalty : {"r1", "wgan-gp"}) {
      Training how = training_with({});
      how.options = {.penalty = &find_penalty(penalty)};
      const Pair wanted = after(*device, how, 1);
      for (const double scale : {1.0, 64.0, 1024.0}) {
        how.optimizer.mixed = {Half::kFp16, scale};
        expect_near(after(*device, how, 1), wanted, 0.02);
      }
    }
  }
}

}  // namespace
}  // namespace lipizz::nn::mixed_precision_test
