// A training step, a fitness evaluation and a scoring, once each in a function of its own, whose
// instructions instructions.py counts:
//
//     bench_instructions
//
// The numerics level is avx2, since none above can be counted, and the engine oneDNN. Few samples
// are evaluated: an instruction takes a hundred times as long while it is counted.
#include <cstdio>
#include <exception>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "coev/fitness_evaluator.hpp"
#include "core/random.hpp"
#include "metrics/classifier.hpp"
#include "metrics/feature_sums.hpp"
#include "metrics/frechet.hpp"
#include "nn/cpu/numerics.hpp"
#include "nn/exec/host_device.hpp"
#include "nn/train/timing_run.hpp"
#include "noise_images.hpp"
#include "untrained_judge.hpp"

namespace lipizz::bench {
namespace {

constexpr std::uint32_t kBatch = 10;
constexpr std::uint32_t kMembers = 2;
constexpr std::uint32_t kRows = 50;

}  // namespace

// Not static, and never merged with what calls them: their names are what is looked for.

/// A step of each network of the published pair.
[[gnu::noinline]] void counted_step(nn::TimingRun& run) {
  run.train_generators();
  run.train_discriminators();
}

/// All pairs of the generators and the discriminators of a neighbourhood.
[[gnu::noinline]] void counted_fitness(coev::FitnessEvaluator& evaluator,
                                       coev::FitnessEvaluator::Networks generators,
                                       coev::FitnessEvaluator::Networks discriminators) {
  evaluator.draw_batch({0}, 1, kRows);
  evaluator.all_pairs(generators, discriminators);
}

/// The features of samples, their Gaussian and its distance to another.
[[gnu::noinline]] double counted_scoring(metrics::Features& features,
                                         const metrics::FrechetDistance& distance,
                                         std::span<const float> samples) {
  std::vector<float> rows(kRows * (features.n_values() + 1));
  features.compute(samples, rows);
  metrics::FeatureSums sums(features.n_values(), features.n_classes());
  sums.add(rows);
  return distance.to(metrics::FeatureSums::gaussian(sums.mean(), features.n_values()));
}

namespace {

void run_steps(nn::HostDevice& device) {
  nn::TimingRun run(device, nn::make_model("mlp"), kBatch, 1);
  run.train_generators();  // the first ones prepare what they use
  run.train_discriminators();
  counted_step(run);
}

// Networks of zeros take as many instructions as any.
void run_fitness(nn::HostDevice& device, const data::Dataset& dataset) {
  coev::Settings settings;
  settings.operators.fitness.n_samples = kRows;
  coev::FitnessEvaluator evaluator(device, settings, dataset);
  const nn::Buffer<float> generator(nn::parameter_layout(settings.model.generator).n_padded);
  const nn::Buffer<float> discriminator(
      nn::parameter_layout(settings.model.discriminator).n_padded);
  const std::vector<std::span<const float>> generators(kMembers, generator);
  const std::vector<std::span<const float>> discriminators(kMembers, discriminator);
  counted_fitness(evaluator, generators, discriminators);
}

void run_scoring(nn::HostDevice& device, const data::Dataset& dataset) {
  metrics::ClassifierFeatures features = untrained_judge(device, dataset);
  std::vector<std::uint32_t> indices(kRows);
  std::iota(indices.begin(), indices.end(), 0U);
  std::vector<float> samples(kRows * dataset.shape().size());
  dataset.read_train(indices, samples);
  const std::uint32_t n = features.n_values();
  metrics::Gaussian standard{std::vector<double>(n), std::vector<double>(std::size_t{n} * n)};
  for (std::uint32_t i = 0; i < n; ++i) standard.covariance[i * (n + 1)] = 1;
  const metrics::FrechetDistance distance(std::move(standard));
  std::printf("score %g\n", counted_scoring(features, distance, samples));
}

void run() {
  const nn::Engine engine{nn::Backend::kOneDnn, nn::NumericsLevel::kAvx2};
  nn::fix_numerics(engine);
  nn::prepare_compute_thread();
  nn::HostDevice device(engine);
  const NoiseImages dataset;
  run_steps(device);
  run_fitness(device, dataset);
  run_scoring(device, dataset);
}

}  // namespace
}  // namespace lipizz::bench

int main() {
  try {
    lipizz::bench::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_instructions: %s\n", error.what());
    return 2;
  }
}
