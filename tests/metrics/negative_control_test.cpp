// The Frechet score on the real datasets: what is not of the dataset must score far worse than what
// is, a Gaussian with the very pixel moments of the data among it (which pixel statistics cannot
// tell).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>

#include "core/error.hpp"
#include "metrics/scorer.hpp"
#include "metrics/support.hpp"
#include "nn/base/buffer.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/inference.hpp"
#include "nn/network/models.hpp"

namespace lipizz::metrics::negative_control_test {
namespace {

constexpr std::uint32_t kSamples = 1000;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The first n training samples, [n, sample size].
std::vector<float> training_samples(const data::Dataset& dataset, std::uint32_t n) {
  std::vector<std::uint32_t> indices(n);
  std::iota(indices.begin(), indices.end(), 0U);
  std::vector<float> samples(std::size_t{n} * dataset.shape().size());
  dataset.read_train(indices, samples);
  return samples;
}

// Normal vectors with exactly the mean and covariance of real samples: the mean, and the deviations
// of N of them weighted with normal numbers / sqrt(N).
std::vector<float> gaussian_blobs(const data::Dataset& dataset) {
  constexpr std::uint32_t kReal = 2000;
  const std::size_t size = dataset.shape().size();
  std::vector<float> real = training_samples(dataset, kReal);
  std::vector<float> mean(size);
  for (std::size_t i = 0; i < real.size(); ++i) mean[i % size] += real[i] / kReal;
  for (std::size_t i = 0; i < real.size(); ++i) real[i] -= mean[i % size];
  const std::vector<float> weights = testing::normals(std::size_t{kSamples} * kReal, 1);
  std::vector<float> blobs(kSamples * size);
  for (std::uint32_t n = 0; n < kSamples; ++n) {
    float* const blob = blobs.data() + n * size;
    for (std::size_t i = 0; i < size; ++i) blob[i] = mean[i];
    for (std::uint32_t k = 0; k < kReal; ++k) {
      const float weight = weights[std::size_t{n} * kReal + k] / std::sqrt(float{kReal});
      for (std::size_t i = 0; i < size; ++i) blob[i] += weight * real[k * size + i];
    }
  }
  return blobs;
}

// Real samples, each pixel the mean of its row's neighbours and itself: strokes softer than any.
std::vector<float> blurred(const data::Dataset& dataset) {
  const std::vector<float> real = training_samples(dataset, kSamples);
  const std::size_t channels = dataset.shape().channels;
  std::vector<float> soft = real;
  for (std::size_t i = channels; i + channels < real.size(); ++i) {
    soft[i] = (real[i - channels] + real[i] + real[i + channels]) / 3;
  }
  return soft;
}

std::vector<float> uniform_noise(const data::Dataset& dataset) {
  const Random random(2, Purpose::kTest);
  std::vector<float> samples(kSamples * dataset.shape().size());
  for (std::uint32_t i = 0; i < samples.size(); ++i) samples[i] = 2 * random.uniform(i) - 1;
  return samples;
}

std::vector<float> untrained_generator(std::string_view dataset) {
  const nn::NetworkSpec generator = nn::make_model(data::find_dataset(dataset).model).generator;
  nn::Buffer<float> parameters(nn::parameter_layout(generator).n_padded);
  nn::initialise(generator, Random(1, Purpose::kGeneratorInit), parameters);
  const std::vector<float> noise =
      testing::normals(kSamples * std::size_t{generator.n_inputs()}, 3);
  std::vector<float> samples(kSamples * std::size_t{nn::n_outputs(generator)});
  nn::Inference run(testing::host(), generator, kSamples, 1);
  nn::UploadScope uploads(testing::host());
  run.bind(0, uploads.upload(std::span<const float>(parameters)),
           uploads.upload(std::span<const float>(noise)),
           uploads.upload(std::span<float>(samples)));
  run.run();
  return samples;
}

// Draws from one class alone: what a collapsed generator gives.
std::vector<float> one_class(const data::Dataset& dataset) {
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; indices.size() < kSamples; ++i) {
    const std::uint32_t index = i % dataset.n_train_full();
    if (dataset.train_label(index) == 1) indices.push_back(index);
  }
  std::vector<float> samples(indices.size() * dataset.shape().size());
  dataset.read_train(indices, samples);
  return samples;
}

double score_of(Scorer& scorer, std::span<const float> samples) {
  std::vector<float> features(std::size_t{kSamples} * scorer.n_features());
  scorer.features(samples, features);
  return scorer.score(scorer.statistics(features)).value;
}

struct Controls {
  double floor;
  double full_floor;  // of 10,000 test samples, or all
  double blurred;
  double gaussian;
  double collapsed;
  double noise;
  double untrained;
};

Controls controls_of(const data::Dataset& dataset) {
  const std::string cache = environment("XDG_CACHE_HOME");
  const MetricEntry& metric = find_metric("auto", data::form_of(dataset));
  nn::prepare_compute_thread();
  const Bytes judge = metric.prepare_judge(
      dataset, {.lasting = {cache + "/lipizz"}, .beside_run = {}},
      {.info = [](std::string_view line) { std::cout << line << '\n'; }}, testing::kUnwatched);
  const auto scorer = metric.make_scorer(dataset, judge, testing::host());
  const Controls c{.floor = scorer->floor(kSamples).value,
                   .full_floor = scorer->floor(10'000).value,
                   .blurred = score_of(*scorer, blurred(dataset)),
                   .gaussian = score_of(*scorer, gaussian_blobs(dataset)),
                   .collapsed = score_of(*scorer, one_class(dataset)),
                   .noise = score_of(*scorer, uniform_noise(dataset)),
                   .untrained = score_of(*scorer, untrained_generator(dataset.name()))};
  std::cout << dataset.name() << ": real " << c.floor << " (10,000: " << c.full_floor
            << "), blurred " << c.blurred << ", Gaussian " << c.gaussian << ", one class "
            << c.collapsed << ", noise " << c.noise << ", untrained " << c.untrained << '\n';
  return c;
}

void expect_that_only_digits_score_well(const data::Dataset& dataset) {
  const Controls c = controls_of(dataset);
  EXPECT_LT(c.full_floor, c.floor);
  EXPECT_GT(c.blurred, 4 * c.floor);
  EXPECT_GT(c.gaussian, 15 * c.floor);
  EXPECT_GT(c.collapsed, 3 * c.gaussian);
  EXPECT_GT(c.noise, 3 * c.gaussian);
  EXPECT_GT(c.untrained, 3 * c.gaussian);
}

TEST(NegativeControl, only_digits_score_as_glyphs) {
  expect_that_only_digits_score_well(*data::open_dataset("glyphs", {}));
}

TEST(NegativeControl, only_digits_score_as_mnist) {
  const std::string folder = environment("LIPIZZ_DATA_DIR");
  if (folder.empty()) GTEST_SKIP() << "LIPIZZ_DATA_DIR is not set";
  expect_that_only_digits_score_well(*data::open_dataset("mnist", {.data_dir = folder}));
}

// A classifier that is right on half of the images still tells them from what is none.
TEST(NegativeControl, only_photos_score_as_cifar10) {
  const std::string folder = environment("LIPIZZ_DATA_DIR");
  if (!std::filesystem::is_directory(folder + "/cifar10")) {
    GTEST_SKIP() << "LIPIZZ_DATA_DIR names no folder with cifar10/";
  }
  const Controls c = controls_of(*data::open_dataset("cifar10", {.data_dir = folder}));
  EXPECT_GT(c.blurred, 2 * c.floor);
  EXPECT_GT(c.gaussian, 10 * c.floor);
  EXPECT_GT(c.collapsed, 2 * c.gaussian);
  EXPECT_GT(c.noise, 2 * c.gaussian);
  EXPECT_GT(c.untrained, 2 * c.gaussian);
}

}  // namespace
}  // namespace lipizz::metrics::negative_control_test
