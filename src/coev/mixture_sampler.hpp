#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coev/generator_feed.hpp"
#include "coev/generator_runner.hpp"
#include "coev/settings.hpp"
#include "core/random.hpp"
#include "metrics/scorer.hpp"
#include "nn/exec/device.hpp"

namespace lipizz::coev {

/// Samples that each generator of a mixture makes of the same inputs.
struct MixtureExamples {
  std::uint32_t n = 0;
  std::vector<float> inputs;                // [n, latent]
  std::vector<float> labels;                // [n]; empty where there are no classes
  std::vector<std::vector<float>> samples;  // of each generator [n, sample size]
};

/// Draws samples of mixtures, p(x) = sum_i w_i p_i(x) (Schmiedlechner et al. 2018). Departure:
/// exactly n samples, whose shares are fixed by coev::apportion(). Sample s of a mixture is made
/// from row s of the noise, whichever generator makes it; the generators take their shares of the
/// samples in exact proportion to their weights, each one block in the order of the mixture.
///
/// Serves all cells of an island.
class MixtureSampler {
 public:
  using Networks = std::span<const std::span<const float>>;  // generators: parameters [n_padded]

  /// The references must outlive the sampler.
  MixtureSampler(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
                 metrics::Scorer& scorer);

  /// A consecutive part of a noise's rows.
  struct Noise {
    Random random;
    std::uint32_t first = 0;
    std::uint32_t n = 0;
  };

  /// [noise.n, sample size]
  std::vector<float> samples(Networks generators, std::span<const double> weights,
                             const Noise& noise);
  /// The scorer's features of these samples: [noise.n, n_features].
  std::vector<float> features(Networks generators, std::span<const double> weights,
                              const Noise& noise);
  /// Likewise of a single generator.
  std::vector<float> features(std::span<const float> generator, const Noise& noise);
  /// A sample by each generator of each of these rows of the noise.
  MixtureExamples examples(Networks generators, const Noise& noise);

 private:
  using Sink = GeneratorRunner::Sink;
  void draw(Networks generators, std::span<const double> weights, const Noise& noise,
            const Sink& sink);
  void draw_block(std::span<const float> generator, const Noise& noise, const Sink& sink);

  metrics::Scorer& scorer_;
  GeneratorFeed feed_;
  std::uint32_t latent_;
  std::uint32_t sample_;
  bool has_classes_;
  GeneratorRunner generator_;
};

/// The features of the mixture's samples, put together from each member's own list of as many, as
/// if drawn afresh. lists: per member [n, n_features].
std::vector<float> mix_features(std::span<const std::vector<float>> lists,
                                std::span<const double> weights, std::uint32_t n_features);

}  // namespace lipizz::coev
