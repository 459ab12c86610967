#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "coev/generator_feed.hpp"
#include "coev/training_samples.hpp"
#include "data/dataset.hpp"
#include "nn/exec/inference.hpp"
#include "nn/support.hpp"
#include "nn/train/gan_step.hpp"

namespace lipizz::nn::testing {

/// A pair of networks that translate images, trained as Isola et al. (2017) do on a single pair of
/// images of the dataset, over and over.
class Overfitting {
 public:
  Overfitting(std::string_view model, const data::Dataset& dataset, const Engine& engine)
      : device_(engine),
        gan_(make_model(model)),
        samples_(dataset),
        uploads_(device_),
        pair_(gan_.sample()),
        condition_(gan_.latent()),
        result_(gan_.sample()),
        generator_(initial(gan_.generator, 1)),
        discriminator_(initial(gan_.discriminator, 2)),
        generator_moments_(2 * generator_.size()),
        discriminator_moments_(2 * discriminator_.size()),
        generator_step_(device_, gan_, {}, samples_, 1, 1, {.l1_weight = 100}),
        discriminator_step_(device_, gan_, {}, samples_, 1, 1),
        inference_(device_, gan_.generator, 1, 1) {
    const std::uint32_t first = 0;
    dataset.read_train({&first, 1}, pair_);
    coev::take_conditions(gan_, pair_, condition_);
  }

  void train(std::uint32_t n_steps) {
    constexpr float kRate = 2e-4f;
    const LossId loss = find_loss("pix2pix");
    const auto uploaded = [&](Buffer<float>& values) {
      return uploads_.upload(std::span<float>(values));
    };
    for (const std::uint32_t end = step_ + n_steps; step_ < end; ++step_) {
      const TrainedNetwork generator{uploaded(generator_), uploaded(generator_moments_), kRate,
                                     loss, step_};
      const TrainedNetwork discriminator{uploaded(discriminator_), uploaded(discriminator_moments_),
                                         kRate, loss, step_};
      discriminator_step_.bind(0, discriminator, generator.parameters);
      discriminator_step_.feed(0, feed(1));
      discriminator_step_.run();
      generator_step_.bind(0, generator, discriminator.parameters);
      generator_step_.feed(0, feed(2));
      generator_step_.run();
    }
    uploads_.finish();
  }

  /// Mean distance of what is made, in use, from what belongs to the condition.
  double l1() {
    infer(device_, inference_, generator_, condition_, result_);
    double sum = 0;
    for (std::size_t i = 0; i < pair_.size(); ++i) sum += std::abs(double{pair_[i]} - result_[i]);
    return sum / (static_cast<double>(pair_.size()) * gan_.generated_share());
  }

 private:
  // The feed of the only pair that is used.
  [[nodiscard]] StepFeed feed(std::uint64_t seed) const {
    static constexpr std::uint32_t kFirst = 0;
    return {Random(seed, Purpose::kTest), 0, Random(seed, Purpose::kTest), step_, {&kFirst, 1}};
  }

  HostDevice device_;
  GanSpec gan_;
  coev::TrainingSamples samples_;
  UploadScope uploads_;
  Buffer<float> pair_, condition_, result_;
  Buffer<float> generator_, discriminator_, generator_moments_, discriminator_moments_;
  GeneratorStep generator_step_;
  DiscriminatorStep discriminator_step_;
  Inference inference_;
  std::uint32_t step_ = 0;
};

}  // namespace lipizz::nn::testing
