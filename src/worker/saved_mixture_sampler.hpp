#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "coev/generator_feed.hpp"
#include "coev/generator_runner.hpp"
#include "data/dataset.hpp"
#include "nn/exec/device.hpp"
#include "worker/saved_mixture.hpp"

namespace lipizz::worker {

/// Makes samples of a saved mixture, p(x) = sum_i w_i p_i(x) (Schmiedlechner et al. 2018): each of
/// a generator that is drawn by the weights. Sample s is a function of the mixture, the seed, the
/// class asked for and s alone, to the bit where engine and numerics level are the same: not of how
/// many are made, nor of how often. Its random numbers are of purposes that no training or scoring
/// uses, whatever the seed.
///
/// Departure from coev::MixtureSampler, which gives each generator its exact share of a number of
/// samples that is known before, in blocks.
class SavedMixtureSampler {
 public:
  struct Draw {
    std::uint64_t seed = 1;
    std::optional<std::uint32_t> only_class{};  // none: classes in turn, sample s of s mod n
  };
  /// Takes the samples [n, sample size] from number `first` on, and their classes [n], empty where
  /// the mixture knows of none. A sample of pairs has the condition in its first channels.
  using Sink = std::function<void(std::uint32_t first, std::span<const float> samples,
                                  std::span<const data::Label> labels)>;

  /// pairs: the dataset of a mixture that translates images, whose test samples are the conditions:
  /// sample s has that of test sample s mod n; null will do for all others. All must outlive it.
  /// CheckpointError when a generator does not make the examples beside it: the files are of
  /// another network than this version of lipizz builds, or damaged.
  SavedMixtureSampler(nn::Device& device, const SavedMixture& mixture, const data::Dataset* pairs);

  /// Samples 0 to n - 1 in order, in pieces of some megabytes.
  void draw(const Draw& draw, std::uint32_t n, const Sink& sink);

  /// The samples [n, sample size] that one generator makes of these inputs [n, latent] and classes
  /// [n] or none.
  std::vector<float> samples_of(std::size_t generator, std::span<const float> inputs,
                                std::span<const float> labels);

  /// The inputs that sample 0 of this seed has: [latent]. None of mixtures that translate images.
  [[nodiscard]] std::vector<float> first_latent(std::uint64_t seed) const;

 private:
  using Rows = std::vector<std::uint32_t>;
  void expect_examples();
  [[nodiscard]] std::size_t generator_of(const Random& choice, std::uint32_t row) const;
  void make_rows(std::size_t generator, const Draw& draw, const Rows& rows, std::uint32_t first,
                 std::span<float> out);

  const SavedMixture& mixture_;
  const nn::GanSpec& model_;
  coev::GeneratorFeed feed_;
  coev::GeneratorRunner runner_;
  std::uint32_t piece_;  // samples that are made together
};

}  // namespace lipizz::worker
