#pragma once

#include <cstddef>

#include "metrics/feature_rows.hpp"

namespace lipizz::metrics {

inline constexpr std::size_t kManifoldNeighbours = 5;
inline constexpr std::size_t kMostManifoldRows = 10'000;

/// How real and generated samples lie among each other. Around each row is a ball that reaches to
/// its k-th nearest neighbour of the same set, itself not counted:
/// - precision: the share of generated rows that lie in a real row's ball, and recall: of real rows
///   in a generated row's (Kynkaanniemi et al. 2019, "Improved Precision and Recall Metric");
/// - density: in how many real balls a generated row lies, over k, in the mean (may exceed 1), and
///   coverage: the share of real rows with a generated row in their ball (Naeem et al. 2020,
///   "Reliable Fidelity and Diversity Metrics", whose program `prdc` these equal).
///
/// A ball is open, as in prdc: a row at exactly its radius lies outside, so that where all rows are
/// equal nothing lies in any. Two sets of one distribution have density 1 and coverage 1 - 2^-k.
/// Errors are those of a mean over the rows that are counted, the balls taken as given.
///
/// Exact, over the first kMostManifoldRows rows of each set (prdc's authors use as many): about
/// n^2 d operations each for real balls, for generated balls and two for what lies in them. All are
/// NaN where a set has no more than k rows, or a number is not finite.
struct Manifold {
  Estimate precision;
  Estimate recall;
  Estimate density;
  Estimate coverage;
};
Manifold manifold(const FeatureRows& real, const FeatureRows& generated,
                  std::size_t k = kManifoldNeighbours);

}  // namespace lipizz::metrics
