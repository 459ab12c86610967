#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "nn/network/layers/joining.hpp"
#include "nn/network/layers/resampling.hpp"
#include "nn/network/models/residual.hpp"
#include "nn/support.hpp"
#include "nn/train/gan_step.hpp"

/// Pairs of networks that train against each other, for tests of whole steps.
namespace lipizz::nn::testing::gan_training {

constexpr std::uint32_t kBatch = 20;
constexpr std::uint32_t kSmallBatch = 4;  // of images, which the reference takes long for
constexpr float kRate = 1e-3f;

// The networks in training, and the settings of a step.
struct Training {
  GanSpec gan;
  std::uint32_t batch = kBatch;
  StepOptions options{};
  float rate = kRate;
  OptimizerSpec optimizer{};
  std::optional<std::uint32_t> spoilt_sample{};
  std::optional<ZeroStage> zero_of_discriminator{};    // where it is another one
  std::uint32_t n_micro_batches_of_discriminator = 0;  // 0: as many as the generator's

  // Each network's step has its own.
  [[nodiscard]] OptimizerSpec optimizer_of_discriminator() const {
    OptimizerSpec own = optimizer;
    own.zero = zero_of_discriminator.value_or(optimizer.zero);
    return own;
  }
  [[nodiscard]] StepOptions options_of_generator() const {
    StepOptions own = options;
    own.zero_of_opponent = optimizer_of_discriminator().zero;
    own.n_micro_batches_of_opponent = n_micro_batches_of_discriminator;
    return own;
  }
  [[nodiscard]] StepOptions options_of_discriminator() const {
    StepOptions own = options;
    own.zero_of_opponent = optimizer.zero;
    if (n_micro_batches_of_discriminator > 0) {
      own.n_micro_batches = n_micro_batches_of_discriminator;
      own.n_micro_batches_of_opponent = options.n_micro_batches;
    }
    return own;
  }
};

// A generator and a discriminator in training against each other.
struct Pair {
  explicit Pair(const GanSpec& gan, std::uint64_t its_seed = 0)
      : seed(its_seed),
        g(initial(gan.generator, 2 * seed)),
        d(initial(gan.discriminator, 2 * seed + 1)),
        g_moments(2 * g.size()),
        d_moments(2 * d.size()),
        average(g) {}
  std::uint64_t seed;
  Buffer<float> g, d, g_moments, d_moments, average;
  GradientHistory g_history{}, d_history{};
  float g_loss = 0, d_loss = 0;  // of the last step
  bool operator==(const Pair&) const = default;
};

inline DrawnSamples samples_for(const GanSpec& gan) {
  return DrawnSamples(gan.sample(), std::max(1U, gan.n_classes()));
}

// A batch from this one on.
inline std::vector<std::uint32_t> indices(std::uint32_t first, std::uint32_t batch) {
  std::vector<std::uint32_t> some(batch);
  for (std::uint32_t i = 0; i < batch; ++i) some[i] = (first + i) % 40;
  return some;
}

// The feed of one step, of samples in turn.
inline StepFeed feed_of(std::uint64_t seed, std::uint32_t step,
                        std::span<const std::uint32_t> samples) {
  return {Random(seed, Purpose::kGeneratorNoise), step * kBatch,
          Random(seed, Purpose::kGeneratorUniforms), step, samples};
}

// The pair's networks on the device, as a step takes them.
struct Uploaded {
  Uploaded(UploadScope& uploads, Pair& p, float rate, std::uint32_t step, LossId loss = 0,
           bool moments_on_host = false)
      : g{uploads.upload(std::span<float>(p.g)),
          moments_of(uploads, p.g_moments, moments_on_host),
          rate,
          loss,
          step,
          uploads.upload(std::span<float>(p.average))},
        d{uploads.upload(std::span<float>(p.d)), moments_of(uploads, p.d_moments, moments_on_host),
          rate, loss, step} {}

  static Region moments_of(UploadScope& uploads, std::span<float> moments, bool are_on_host) {
    return are_on_host ? Region{moments.data(), moments.size()} : uploads.upload(moments);
  }
  TrainedNetwork g, d;
};

inline void train(Device& device, const Training& training, std::vector<Pair>& pairs,
                  std::uint32_t steps) {
  const auto& [gan, batch, options, rate, optimizer, spoilt, zero, n_of_discriminator] = training;
  const OptimizerSpec of_discriminator = training.optimizer_of_discriminator();
  const auto n = static_cast<std::uint32_t>(pairs.size());
  DrawnSamples source = samples_for(gan);
  if (spoilt) source.spoil(*spoilt);
  const std::size_t n_moments = entry(optimizer.kind).n_moments;  // of the pair's two
  const LossId loss = find_loss(options.is_relativistic ? "relativistic" : "bce");
  GeneratorStep g_step(device, gan, optimizer, source, batch, n, training.options_of_generator());
  DiscriminatorStep d_step(device, gan, of_discriminator, source, batch, n,
                           training.options_of_discriminator());
  UploadScope uploads(device);
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::vector<std::uint32_t> samples = indices(step * batch, batch);
    for (std::uint32_t m = 0; m < n; ++m) {
      Uploaded uploaded(uploads, pairs[m], rate, step, loss, optimizer.moments_on_host);
      uploaded.g.moments.size = n_moments * pairs[m].g.size();
      g_step.bind(m, uploaded.g, uploaded.d.parameters);
      g_step.feed(m, feed_of(pairs[m].seed, step, samples));
    }
    g_step.run();
    for (std::uint32_t m = 0; m < n; ++m) {
      Uploaded uploaded(uploads, pairs[m], rate, step, loss, optimizer.moments_on_host);
      uploaded.d.moments.size = n_moments * pairs[m].d.size();
      d_step.bind(m, uploaded.d, uploaded.g.parameters);
      d_step.feed(m, feed_of(pairs[m].seed + 100, step, samples));
    }
    d_step.run();
  }
  for (std::uint32_t m = 0; m < n; ++m) {
    pairs[m].g_history = g_step.history(m);
    pairs[m].d_history = d_step.history(m);
    pairs[m].g_loss = g_step.loss(m);
    pairs[m].d_loss = d_step.loss(m);
  }
  uploads.finish();
}

// sngan32 made small: residual blocks, classes, spectral norm.
inline GanSpec small_residual_gan() {
  constexpr std::uint32_t kSliceChannels = 8;
  ResidualBuilder g({{5}, {}, &kGlorotUniform, 3}, false);
  g.linear(2 * 2 * kSliceChannels);
  g.reshape({2, 2, kSliceChannels});
  g.up_block(kSliceChannels, kSliceChannels, g.last());
  g.up_block(kSliceChannels, kSliceChannels, g.last());
  g.norm();
  g.convolution3(3);
  g.add({.activation = Activation::kTanh, .kind = &kActivationLayer});
  ResidualBuilder d({{8, 8, 3}, {}, &kGlorotUniform, 3}, true);
  d.first_down_block(kSliceChannels);
  d.block(kSliceChannels, true);
  d.block(kSliceChannels, false);
  d.relu();
  const std::uint32_t features = d.resample(kSumPoolLayer, 2);
  d.linear(1);
  d.project(features, kSliceChannels);
  return {g.take(), d.take()};
}

// Layers with skips: a U-Net of two halvings, as pix2pix has it, and a residual block.
inline GanSpec small_gan_with_skips() {
  const Window halving{.kernel = 4, .stride = 2, .padding = 1};
  const Window sliding{.kernel = 3, .padding = 1};
  const auto activation = [](Activation kind, std::vector<std::uint32_t> from = {}) {
    return Layer{.activation = kind, .kind = &kActivationLayer, .from = std::move(from)};
  };
  constexpr auto kNone = Activation::kNone;
  return {{{4, 4, 1},
           {{4, kNone, &kConvolutionLayer, halving, false},
            activation(Activation::kLeakyRelu),
            {6, kNone, &kConvolutionLayer, halving, false},
            activation(Activation::kRelu),
            {4, kNone, &kTransposedConvolutionLayer, halving, false},
            {.kind = &kBatchNormLayer},
            {.kind = &kConcatenateLayer, .from = {1, 6}},
            activation(Activation::kRelu),
            {1, Activation::kTanh, &kTransposedConvolutionLayer, halving},
            {.kind = &kConcatenateLayer, .from = {0, 9}}},
           &kNormal02},
          {{4, 4, 2},
           {{4, Activation::kLeakyRelu, &kConvolutionLayer, sliding},
            {4, kNone, &kConvolutionLayer, sliding},
            {.outputs = 4, .kind = &kConvolutionLayer, .window = {.kernel = 1}, .from = {0}},
            {.kind = &kAddLayer, .from = {2, 3}},
            activation(Activation::kLeakyRelu),
            {3, Activation::kLeakyRelu, &kConvolutionLayer, halving},
            {1}},
           &kNormal02},
          1};
}

// Everything that a step may do beside its loss.
inline std::vector<Training> with_options() {
  const Augmentation all{true, true, true};
  return {{small_residual_gan(), 4, {.augmentation = all, .average_decay = 0.9}},
          {small_residual_gan(), 4, {.penalty = &find_penalty("r1")}},
          {tiny_image_gan(), 4, {.penalty = &find_penalty("wgan-gp")}},
          {tiny_image_gan(), 4, {.penalty = &find_penalty("dragan")}},
          {tiny_image_gan(), 4, {.penalty = &find_penalty("r1-r2"), .is_relativistic = true}},
          {make_model("pix2pix32"), 2, {.augmentation = all, .l1_weight = 100}}};
}

// The moments of a first step, since Adam's signs multiply what differs.
inline void expect_near(const Pair& found, const Pair& wanted, double tolerance) {
  EXPECT_LT(relative_l2(found.g_moments, wanted.g_moments), tolerance);
  EXPECT_LT(relative_l2(found.d_moments, wanted.d_moments), tolerance);
}

inline void expect_near_losses(const Pair& found, const Pair& wanted, double tolerance) {
  EXPECT_NEAR(found.g_loss / wanted.g_loss, 1, tolerance);
  EXPECT_NEAR(found.d_loss / wanted.d_loss, 1, tolerance);
}

// Statistics lie behind the parameters, those that batch norm keeps up among them.
inline void expect_near_statistics(const GanSpec& gan, const Pair& found, const Pair& wanted,
                                   double tolerance) {
  const auto of = [](const NetworkSpec& network, const Buffer<float>& parameters) {
    return std::span<const float>(parameters)
        .subspan(parameter_layout(network).statistics.front().offset);
  };
  EXPECT_LT(relative_l2(of(gan.generator, found.g), of(gan.generator, wanted.g)), tolerance);
  EXPECT_LT(relative_l2(of(gan.discriminator, found.d), of(gan.discriminator, wanted.d)),
            tolerance);
}

// dcgan made small, with spectral norm in the discriminator in place of batch norm.
inline GanSpec small_convolutional_gan() {
  const Window halving{.kernel = 4, .stride = 2, .padding = 1};
  const auto normed = [](Layer layer) {
    layer.has_spectral_norm = true;
    return layer;
  };
  const auto kLeaky = Activation::kLeakyRelu;
  return {{{1, 1, 5},
           {{6, Activation::kRelu, &kTransposedConvolutionLayer, {.kernel = 2}, false},
            {4, Activation::kRelu, &kTransposedConvolutionLayer, halving, false},
            {3, Activation::kTanh, &kTransposedConvolutionLayer, halving}},
           &kNormal02},
          {{8, 8, 3},
           {normed({4, kLeaky, &kConvolutionLayer, halving}),
            normed({6, kLeaky, &kConvolutionLayer, halving}), normed({1})},
           &kNormal02}};
}

// Without what sees a micro-batch at a time (StepOptions); each case has what a row must keep
// however its batch is cut: classes, noise, samples, uniform numbers of real rows and of fakes.
inline std::vector<Training> without_batch_norm() {
  const NetworkSpec images{{5}, {{8 * 8 * 3, Activation::kTanh}}, &kGlorotUniform, 3};
  const GanSpec classes{images, small_residual_gan().discriminator};
  const Augmentation all{true, true, true};
  return {{make_model("mlp-2d"), 7},
          {make_model("mlp-2d"), 7, {.penalty = &find_penalty("r1")}},
          {small_convolutional_gan(), 5},
          {classes, 4, {.augmentation = all, .average_decay = 0.9}},
          {classes, 4, {.penalty = &find_penalty("wgan-gp"), .penalty_change = -3}},
          {classes, 4, {.penalty = &find_penalty("r1-r2"), .is_relativistic = true}}};
}

inline Pair after_a_step(Device& device, Training training, std::uint32_t n_micro_batches) {
  training.options.n_micro_batches = n_micro_batches;
  std::vector<Pair> pairs{Pair(training.gan)};
  train(device, training, pairs, 1);
  return pairs.front();
}

}  // namespace lipizz::nn::testing::gan_training
