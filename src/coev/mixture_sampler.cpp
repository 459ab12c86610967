#include "coev/mixture_sampler.hpp"

#include "coev/mixture.hpp"
#include "core/check.hpp"

namespace lipizz::coev {

MixtureSampler::MixtureSampler(nn::Device& device, const Settings& settings,
                               const data::Dataset& dataset, metrics::Scorer& scorer)
    : scorer_(scorer),
      feed_(settings.model, &dataset),
      latent_(settings.model.latent()),
      sample_(settings.model.sample()),
      has_classes_(settings.model.n_classes() > 0),
      generator_(device, settings.model) {}

std::vector<float> MixtureSampler::samples(Networks generators, std::span<const double> weights,
                                           const Noise& noise) {
  std::vector<float> all;
  all.reserve(std::size_t{noise.n} * sample_);
  draw(generators, weights, noise, [&](std::span<const float> samples) {
    all.insert(all.end(), samples.begin(), samples.end());
  });
  return all;
}

std::vector<float> MixtureSampler::features(Networks generators, std::span<const double> weights,
                                            const Noise& noise) {
  std::vector<float> all(std::size_t{noise.n} * scorer_.n_features());
  std::span<float> rest(all);
  draw(generators, weights, noise, [&](std::span<const float> samples) {
    const std::size_t n_values = samples.size() / sample_ * scorer_.n_features();
    scorer_.features(samples, rest.first(n_values));
    rest = rest.subspan(n_values);
  });
  return all;
}

std::vector<float> MixtureSampler::features(std::span<const float> generator, const Noise& noise) {
  const double whole = 1;
  return features({&generator, 1}, {&whole, 1}, noise);
}

MixtureExamples MixtureSampler::examples(Networks generators, const Noise& noise) {
  MixtureExamples examples;
  examples.n = noise.n;
  examples.inputs.resize(std::size_t{noise.n} * latent_);
  examples.labels.resize(has_classes_ ? noise.n : 0);
  feed_.fill(noise.random, noise.first, noise.n, examples.inputs, examples.labels);
  const double whole = 1;
  for (const std::span<const float> generator : generators) {
    examples.samples.push_back(samples({&generator, 1}, {&whole, 1}, noise));
  }
  return examples;
}

void MixtureSampler::draw(Networks generators, std::span<const double> weights, const Noise& noise,
                          const Sink& sink) {
  const std::vector<std::uint32_t> counts = apportion(weights, noise.n);
  std::uint32_t first = noise.first;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    draw_block(generators[i], {noise.random, first, counts[i]}, sink);
    first += counts[i];
  }
}

void MixtureSampler::draw_block(std::span<const float> generator, const Noise& noise,
                                const Sink& sink) {
  const auto fill = [&](std::uint32_t first, std::uint32_t n, std::span<float> inputs,
                        std::span<float> labels) {
    feed_.fill(noise.random, noise.first + first, n, inputs, labels);
  };
  generator_.run(generator, noise.n, fill, sink);
}

std::vector<float> mix_features(std::span<const std::vector<float>> lists,
                                std::span<const double> weights, std::uint32_t n_features) {
  LIPIZZ_ASSERT(lists.size() == weights.size());
  const auto n = static_cast<std::uint32_t>(lists.front().size() / n_features);
  const std::vector<std::uint32_t> counts = apportion(weights, n);
  std::vector<float> mixed;
  mixed.reserve(lists.front().size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const auto block =
        std::span(lists[i]).subspan(mixed.size(), std::size_t{counts[i]} * n_features);
    mixed.insert(mixed.end(), block.begin(), block.end());
  }
  return mixed;
}

}  // namespace lipizz::coev
