#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "coev/cell.hpp"
#include "coev/fitness/best.hpp"
#include "coev/fitness/worst.hpp"
#include "coev/loss_mutation/uniform.hpp"
#include "coev/migration/parameters.hpp"
#include "coev/mixture_weighting/equal.hpp"
#include "coev/opponents/partner_share.hpp"
#include "coev/rate_mutation/gaussian.hpp"
#include "coev/rate_mutation/none.hpp"
#include "coev/replacement/elitist.hpp"
#include "coev/replacement/generational.hpp"
#include "coev/selection/none.hpp"
#include "coev/selection/pair_tournament.hpp"
#include "coev/settings.hpp"
#include "coev/subpopulation.hpp"
#include "coev/training_schedule/linear.hpp"
#include "core/random.hpp"
#include "data/dataset.hpp"
#include "metrics/scorer.hpp"
#include "nn/network/layers/activation.hpp"
#include "nn/network/layers/conditional.hpp"
#include "nn/network/layers/joining.hpp"
#include "nn/support.hpp"

namespace lipizz::coev::testing {

using nn::testing::devices;

/// This processor, with the reference engine.
inline nn::HostDevice& host() {
  static nn::HostDevice device;
  return device;
}

/// Standard normal points round (1, 0), by index; of classes in turn, where there are any. The
/// tests' are other ones. As pairs, x is what y belongs to.
class ToyDataset : public data::Dataset {
 public:
  explicit ToyDataset(std::uint32_t n_train, std::uint32_t n_classes = 0,
                      std::uint32_t n_condition_channels = 0)
      : n_train_(n_train), n_classes_(n_classes), n_condition_channels_(n_condition_channels) {}
  std::string_view name() const override { return "toy"; }
  data::SampleKind kind() const override { return data::SampleKind::kPoint; }
  data::SampleShape shape() const override {
    return n_condition_channels_ == 0 ? data::SampleShape{1, 2, 1} : data::SampleShape{1, 1, 2};
  }
  std::uint32_t n_condition_channels() const override { return n_condition_channels_; }
  std::uint32_t n_train() const override { return n_train_; }
  std::uint32_t n_train_full() const override { return n_train_; }
  std::uint32_t n_test() const override { return 20; }
  std::uint32_t n_classes() const override { return n_classes_; }
  void read_train(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    read(7, indices, out);
  }
  void read_test(std::span<const std::uint32_t> indices, std::span<float> out) const override {
    read(8, indices, out);
  }
  data::Label train_label(std::uint32_t index) const override {
    return static_cast<std::uint8_t>(n_classes_ == 0 ? 0 : index % n_classes_);
  }
  data::Label test_label(std::uint32_t) const override { return 0; }
  std::span<const data::Mode> modes() const override { return {}; }
  std::uint64_t content_hash() const override { return 0; }

 private:
  static void read(std::uint64_t seed, std::span<const std::uint32_t> indices,
                   std::span<float> out) {
    const Random random(seed, Purpose::kTest);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      random.normals(indices[i], 1, 2, out.subspan(2 * i, 2));
      out[2 * i] += 1;
    }
  }

  std::uint32_t n_train_;
  std::uint32_t n_classes_;
  std::uint32_t n_condition_channels_;
};

/// Squared distance of the samples' mean to a target; counts what it is asked.
class MeanScorer final : public metrics::Scorer {
 public:
  explicit MeanScorer(double x = 1, double y = 0) : target_{x, y} {}
  std::string_view metric() const override { return "mean"; }
  std::uint32_t n_features() const override { return 2; }
  void features(std::span<const float> samples, std::span<float> out) override {
    n_featured += samples.size() / 2;
    std::ranges::copy(samples, out.begin());
  }
  metrics::Statistics statistics(std::span<const float> features) const override {
    metrics::Statistics mean{{0, 0, 0}};
    for (std::size_t i = 0; i < features.size(); ++i) mean.values[i % 2] += features[i];
    const auto n = static_cast<double>(features.size() / 2);
    return {{mean.values[0] / n, mean.values[1] / n, n}};
  }
  metrics::Score score(const metrics::Statistics& s) const override {
    const double dx = s.values[0] - target_[0];
    const double dy = s.values[1] - target_[1];
    return {dx * dx + dy * dy, {{"samples", s.values[2]}}, {}};
  }
  metrics::Score held_out_score(const metrics::Statistics& s) override {
    ++n_held_out;
    return score(s);
  }
  /// Standard normal points round the target.
  std::vector<float> test_features(std::uint32_t n) override {
    std::vector<float> all(std::size_t{n} * 2);
    Random(9, Purpose::kTest).normals(0, n, 2, all);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += static_cast<float>(target_[i % 2]);
    return all;
  }
  std::uint64_t judge_hash() const override { return 0; }

  std::size_t n_featured = 0;
  std::size_t n_held_out = 0;

 private:
  double target_[2];
};

/// Small enough for thousands of steps: 10 batches of 8, points in the plane.
inline Settings tiny_settings() {
  using nn::Activation;
  Settings s;
  s.model = {{{3}, {{5, Activation::kTanh}, {2}}}, {{2}, {{6, Activation::kLeakyRelu}, {1}}}};
  s.batch_size = 8;
  s.generator.learning_rate = 1e-2;
  s.discriminator.learning_rate = 1e-2;
  s.operators.fitness.n_samples = 40;
  s.score.n_samples = 60;
  s.score.n_samples_training = 20;
  return s;
}

inline constexpr std::uint32_t kTinyClasses = 3;

/// The same for classes: both networks are told theirs.
inline Settings class_conditional_settings() {
  using nn::Activation;
  Settings s = tiny_settings();
  const nn::Layer embedding{.outputs = 5, .kind = &nn::kEmbeddingLayer};
  s.model = {{.inputs = {3},
              .layers = {embedding,
                         {.outputs = 5, .activation = Activation::kTanh, .from = {0}},
                         {.kind = &nn::kAddLayer, .from = {1, 2}},
                         {2}},
              .n_classes = kTinyClasses},
             {.inputs = {2},
              .layers = {embedding,
                         {.outputs = 5, .activation = Activation::kLeakyRelu, .from = {0}},
                         {.kind = &nn::kDotLayer, .from = {1, 2}}},
              .n_classes = kTinyClasses}};
  return s;
}

/// The same for pairs: y is made of x.
inline Settings paired_settings() {
  using nn::Activation;
  Settings s = tiny_settings();
  s.model = {{{1, 1, 1},
              {{5, Activation::kTanh},
               {1},
               {.kind = &nn::kReshapeLayer, .shape = {1, 1, 1}},
               {.kind = &nn::kConcatenateLayer, .from = {0, 3}}}},
             {{1, 1, 2}, {{6, Activation::kLeakyRelu}, {1}}},
             1};
  s.steps.l1_weight = 10;
  return s;
}

inline constexpr std::uint32_t kTinySamples = 83;  // the last 3 do not fill a batch

inline Subpopulation subpopulation(std::span<const Cell> cells) {
  Subpopulation members;
  for (const Cell& cell : cells) members.add(cell.id, cell.centre);
  return members;
}

/// A generator of points that takes latent points: z * scale + shift.
inline nn::Buffer<float> affine_generator(float scale, float x, float y) {
  nn::Buffer<float> p(nn::padded<float>(6));
  p[0] = p[3] = scale;  // W is [2, 2], then the bias
  p[4] = x;
  p[5] = y;
  return p;
}
inline nn::NetworkSpec affine_network() {
  return {{2}, {{2}}};
}

}  // namespace lipizz::coev::testing
