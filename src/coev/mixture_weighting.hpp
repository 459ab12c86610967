#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "coev/operator.hpp"
#include "core/random.hpp"

namespace lipizz::coev {

/// The measure of a weighting, by which it finds the weights.
enum class MixtureMeasure { kNone, kScore, kRecall };

/// The input of a weighting of one cell's mixture. A function that is not of its measure is empty.
struct MixtureWeightingInput {
  const Random& random;  // keyed by seed, cell and generation
  /// The score of the mixture with such weights, lower is better: a function of the weights alone,
  /// without noise.
  const std::function<double(std::span<const double>)>& score;
  /// The share of real samples that lie among those of this member (metrics::Manifold); NaN where
  /// these are not finite, or too few.
  std::function<double(std::size_t member)> recall{};
};

/// The optimisation of the mixture weights, the weights of an ensemble (Schmiedlechner et al.
/// 2018). They come as coev::with_members() leaves them: those of the generation before, with the
/// mean for a newcomer. Departure: the original compares two sample sets with noise of their own;
/// here a score is a closed form on common samples, so that equal weights have equal scores.
///
/// Every weighting has these properties (tests/coev/operator_conformance.hpp): equal inputs give
/// equal results; weights stay 0 or more and sum to 1. Where the score is its measure, it never
/// gets worse, but for `best-member`, which mixes nothing, and one that is not finite loses; where
/// the recall is, one that is not finite counts as 0.
struct MixtureWeighting {
  std::string_view name;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  /// Where there is one, samples of each member are made before.
  MixtureMeasure measure = MixtureMeasure::kScore;
  /// weights: two or more.
  void (*find)(std::span<double> weights, const MixtureWeightingInput& input,
               ParameterValues values);
};

/// Every weighting there is.
std::span<const MixtureWeighting* const> mixture_weightings();

}  // namespace lipizz::coev
