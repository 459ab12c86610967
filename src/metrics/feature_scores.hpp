#pragma once

#include <vector>

#include "metrics/feature_rows.hpp"
#include "metrics/figure.hpp"

namespace lipizz::metrics {

/// Frechet distance (FrechetDistance) of the Gaussians of two sets of features, means and
/// covariances in double over all rows. Its error is by the jackknife over ten blocks of the
/// generated rows, the real ones taken as given; NaN, since dear, with more than
/// kMostJackknifeFeatures features. NaN where a number is not finite; two rows at least on each
/// side. About n d^2 operations on each side and, for the roots, 20 d^3.
inline constexpr std::size_t kMostJackknifeFeatures = 512;
Estimate frechet_distance(const FeatureRows& real, const FeatureRows& generated);

/// Every score that takes features alone, under the names that people see, in the order of the
/// table: frechet, kernel, precision, recall, density, coverage. Floors are not known.
std::vector<Figure> score_features(const FeatureRows& real, const FeatureRows& generated);

/// All of these but the Frechet distance.
std::vector<Figure> score_neighbourhoods(const FeatureRows& real, const FeatureRows& generated);

}  // namespace lipizz::metrics
