#include "coev/mixture_sampler.hpp"

#include <gtest/gtest.h>

#include "coev/support.hpp"

namespace lipizz::coev::mixture_sampler_test {
namespace {

constexpr std::uint32_t kSamples = 600;  // more than two chunks
const Random kNoise(1, Purpose::kScoreNoise, {0}, 1);

struct Ensemble {
  Settings settings = testing::tiny_settings();
  testing::ToyDataset dataset{10};
  testing::MeanScorer scorer;
  nn::Buffer<float> first = testing::affine_generator(1, 0, 0);    // the noise itself
  nn::Buffer<float> second = testing::affine_generator(0, 5, -5);  // always one point
  std::vector<std::span<const float>> generators{first, second};
  std::vector<double> weights{0.75, 0.25};
  std::shared_ptr<nn::Device> device;
  MixtureSampler sampler;

  explicit Ensemble(std::shared_ptr<nn::Device> given = std::make_shared<nn::HostDevice>())
      : device(std::move(given)), sampler(*device, with_model(), dataset, scorer) {}
  const Settings& with_model() {
    settings.model.generator = testing::affine_network();
    return settings;
  }
};

TEST(MixtureSampler, gives_each_generator_its_exact_share_and_each_sample_its_own_noise) {
  for (const auto& device : testing::devices()) {
    Ensemble e(device);
    const auto samples = e.sampler.samples(e.generators, e.weights, {kNoise, 10, kSamples});
    ASSERT_EQ(samples.size(), 2 * kSamples);
    std::vector<float> noise(2 * 450);
    kNoise.normals(10, 450, 2, noise);
    EXPECT_TRUE(std::equal(noise.begin(), noise.end(), samples.begin()));
    for (std::size_t s = 450; s < kSamples; ++s) {
      EXPECT_EQ(samples[2 * s], 5);
      EXPECT_EQ(samples[2 * s + 1], -5);
    }
  }
}

TEST(MixtureSampler, makes_sample_s_of_row_s_whoever_makes_it) {
  Ensemble e;
  e.generators[1] = e.first;
  std::vector<float> noise(2 * kSamples);
  kNoise.normals(0, kSamples, 2, noise);
  EXPECT_EQ(e.sampler.samples(e.generators, e.weights, {kNoise, 0, kSamples}), noise);
}

TEST(MixtureSampler, features_are_those_of_the_samples) {
  Ensemble e;
  const auto features = e.sampler.features(e.generators, e.weights, {kNoise, 0, kSamples});
  EXPECT_EQ(features, e.sampler.samples(e.generators, e.weights, {kNoise, 0, kSamples}));
  EXPECT_EQ(e.scorer.n_featured, kSamples);
}

TEST(MixtureSampler, lists_put_together_are_the_mixture_drawn_afresh) {
  Ensemble e;
  std::vector<std::vector<float>> lists;
  for (const auto generator : e.generators) {
    lists.push_back(e.sampler.features(generator, {kNoise, 0, kSamples}));
  }
  EXPECT_EQ(mix_features(lists, e.weights, 2),
            e.sampler.features(e.generators, e.weights, {kNoise, 0, kSamples}));
}

TEST(MixtureSampler, examples_are_of_the_same_inputs) {
  Ensemble e;
  const MixtureExamples examples = e.sampler.examples(e.generators, {kNoise, 10, 3});
  EXPECT_EQ(examples.n, 3U);
  EXPECT_EQ(examples.labels.size(), 0U);
  std::vector<float> noise(examples.inputs.size());
  kNoise.normals(10, 3, static_cast<std::uint32_t>(noise.size() / 3), noise);
  EXPECT_EQ(examples.inputs, noise);
  ASSERT_EQ(examples.samples.size(), e.generators.size());
  for (std::size_t i = 0; i < examples.samples.size(); ++i) {
    std::vector<double> alone(e.generators.size());
    alone[i] = 1;
    EXPECT_EQ(examples.samples[i], e.sampler.samples(e.generators, alone, {kNoise, 10, 3}));
  }
}

TEST(MixtureSampler, leaves_a_weightless_generator_out) {
  Ensemble e;
  const auto samples =
      e.sampler.samples(e.generators, std::vector<double>{0, 1}, {kNoise, 0, kSamples});
  EXPECT_EQ(samples[0], 5);
}

}  // namespace
}  // namespace lipizz::coev::mixture_sampler_test
