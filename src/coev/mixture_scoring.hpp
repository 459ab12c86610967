#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coev/cell.hpp"
#include "coev/member_recall.hpp"
#include "coev/mixture_sampler.hpp"
#include "coev/settings.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::coev {

/// Finds the weights of a cell's mixture, and scores it (Schmiedlechner et al. 2018).
///
/// Each generator runs once on common noise; its features give its statistics, by which
/// search_weights() finds the weights, or its recall, which gives them. The reported score is that
/// of exactly as many samples of the mixture, taken from the same features.
class MixtureScoring {
 public:
  using Networks = MixtureSampler::Networks;

  /// The references must outlive it.
  MixtureScoring(nn::Device& device, const Settings& settings, const data::Dataset& dataset,
                 metrics::Scorer& scorer);

  /// Bytes that features take while a mixture of so many members is scored.
  static std::size_t bytes(const Settings& settings, std::size_t n_members, std::size_t n_features);

  /// The mixture and score of a generation in training. generators: of the mixture's members. The
  /// random numbers are those of `generation`.
  void score_generation(Cell& cell, Networks generators, Generation generation);
  /// The same at the end; the score is that of other samples than the weighting saw, as many as the
  /// settings say for the final score.
  void score_final(Cell& cell, Networks generators, Generation generation);
  /// Does the same to the cell's state: finds the weights alone, without the score.
  void weigh_final(Cell& cell, Networks generators, Generation generation);

  /// [n, sample size], generators in random order.
  std::vector<float> samples(const Cell& cell, Networks generators, std::uint32_t n);
  /// Samples that each generator makes of the first n rows of the noise that samples() begins with.
  MixtureExamples examples(const Cell& cell, Networks generators, std::uint32_t n);

 private:
  using Lists = std::vector<std::vector<float>>;  // per member [n_samples_training, n_features]
  [[nodiscard]] bool is_weighed(const Cell& cell) const;
  Lists make_lists(Cell& cell, Networks generators, const Random& noise);
  void find_weights(Cell& cell, const Lists& lists, Generation generation);
  void score_fresh(Cell& cell, Networks generators, const MixtureSampler::Noise& noise);
  void report(Cell& cell, std::span<const float> features) const;

  const Settings& settings_;
  metrics::Scorer& scorer_;
  MixtureSampler sampler_;
  MemberRecall recall_;
};

}  // namespace lipizz::coev
