#include "worker/saved_mixture_sampler.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coev/settings.hpp"
#include "core/error.hpp"
#include "nn/support.hpp"
#include "written_mixture.hpp"

namespace lipizz::worker::saved_mixture_sampler_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::uint32_t kMany = 4500;  // more than two pieces
constexpr std::uint32_t kPiece = 2000;

struct Drawn {
  std::vector<float> samples;
  std::vector<data::Label> labels;
};

Drawn draw(SavedMixtureSampler& sampler, const SavedMixtureSampler::Draw& what, std::uint32_t n) {
  Drawn drawn;
  std::uint32_t n_drawn = 0;
  sampler.draw(what, n,
               [&](std::uint32_t first, std::span<const float> samples,
                   std::span<const data::Label> labels) {
                 EXPECT_EQ(first, n_drawn);
                 n_drawn = std::min(n, n_drawn + kPiece);
                 drawn.samples.insert(drawn.samples.end(), samples.begin(), samples.end());
                 drawn.labels.insert(drawn.labels.end(), labels.begin(), labels.end());
               });
  return drawn;
}

class SavedMixtureSampling : public ::testing::Test {
 protected:
  explicit SavedMixtureSampling(const std::string& model = "mlp-2d", std::uint32_t n_classes = 0)
      : written_("sampling_" + model, nn::make_model(model, {.n_classes = n_classes}), 4, model,
                 0.75),
        mixture_(read_mixture(written_.path())) {}

  testing::WrittenMixture written_;
  SavedMixture mixture_;
  nn::HostDevice device_{nn::testing::engines().back()};
};

TEST_F(SavedMixtureSampling, makes_each_sample_whatever_is_made_beside_it) {
  SavedMixtureSampler sampler(device_, mixture_, nullptr);
  const Drawn many = draw(sampler, {}, kMany);
  ASSERT_EQ(many.samples.size(), 2 * kMany);
  EXPECT_TRUE(many.labels.empty());
  for (const std::uint32_t n : {1U, 7U, 2000U, 2001U}) {
    const Drawn few = draw(sampler, {}, n);
    EXPECT_TRUE(std::equal(few.samples.begin(), few.samples.end(), many.samples.begin())) << n;
  }
  EXPECT_NE(draw(sampler, {.seed = 2}, 7).samples, draw(sampler, {}, 7).samples);
}

// Each sample is what one of the two makes of its own row of noise, and the shares are the weights.
TEST_F(SavedMixtureSampling, draws_generators_by_their_weights) {
  SavedMixtureSampler sampler(device_, mixture_, nullptr);
  const Drawn drawn = draw(sampler, {.seed = 5}, kMany);
  std::vector<float> noise(std::size_t{kMany} * mixture_.about.model.latent());
  Random(5, Purpose::kSampleNoise).normals(0, kMany, mixture_.about.model.latent(), noise);
  const std::vector<float> first = sampler.samples_of(0, noise, {});
  const std::vector<float> second = sampler.samples_of(1, noise, {});
  std::uint32_t n_first = 0;
  for (std::size_t i = 0; i < drawn.samples.size(); i += 2) {
    const bool is_first = std::abs(drawn.samples[i] - first[i]) < 1e-5f &&
                          std::abs(drawn.samples[i + 1] - first[i + 1]) < 1e-5f;
    const bool is_second = std::abs(drawn.samples[i] - second[i]) < 1e-5f &&
                           std::abs(drawn.samples[i + 1] - second[i + 1]) < 1e-5f;
    ASSERT_NE(is_first, is_second) << i;
    n_first += is_first ? 1 : 0;
  }
  const double deviation = std::sqrt(kMany * 0.75 * 0.25);
  EXPECT_NEAR(n_first, 0.75 * kMany, 4 * deviation);
}

TEST_F(SavedMixtureSampling, has_a_latent_for_each_seed) {
  SavedMixtureSampler sampler(device_, mixture_, nullptr);
  mixture_.about.generators[0].weight = 1;  // whoever is drawn
  mixture_.about.generators[1].weight = 0;
  const std::vector<float> made = sampler.samples_of(0, sampler.first_latent(9), {});
  EXPECT_EQ(made, draw(sampler, {.seed = 9}, 1).samples);
}

TEST_F(SavedMixtureSampling, refuses_weights_that_do_not_make_the_examples) {
  std::swap(mixture_.parameters[0], mixture_.parameters[1]);
  EXPECT_THAT([&] { SavedMixtureSampler(device_, mixture_, nullptr); },
              ThrowsMessage<CheckpointError>(
                  HasSubstr("cell-0.safetensors: expected a generator that makes the samples in "
                            "examples.safetensors to 0.0001, found a difference of ")));
}

class SavedMixtureOfClasses : public SavedMixtureSampling {
 protected:
  SavedMixtureOfClasses() : SavedMixtureSampling("mlp", 3) {}
};

TEST_F(SavedMixtureOfClasses, asks_for_all_in_turn_or_for_one) {
  SavedMixtureSampler sampler(device_, mixture_, nullptr);
  const Drawn all = draw(sampler, {}, 60);
  const Drawn ones = draw(sampler, {.only_class = 1}, 60);
  EXPECT_NE(all.samples, ones.samples);
  for (std::uint32_t i = 0; i < 60; ++i) {
    EXPECT_EQ(all.labels[i], i % 3);
    EXPECT_EQ(ones.labels[i], 1);
    if (i % 3 != 1) continue;
    const auto in = [&](const Drawn& drawn) {
      return std::span(drawn.samples).subspan(i * 784, 784);
    };
    EXPECT_TRUE(std::ranges::equal(in(all), in(ones))) << i;
  }
}

}  // namespace
}  // namespace lipizz::worker::saved_mixture_sampler_test
