#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/features.hpp"
#include "metrics/frechet.hpp"
#include "metrics/scorer.hpp"

namespace lipizz::metrics {

/// Sums over samples of what the Frechet scorers' statistics are the means of. A sample comes as
/// Features gives it: n_features numbers and its class index; an index of n_classes or more belongs
/// to no class.
///
/// The statistics' values: mean of the features [d], mean of their products, upper triangle row by
/// row [d (d + 1) / 2], share of each class [n_classes].
class FeatureSums {
 public:
  /// origin: [n_features], subtracted from the features in double so that large means cancel
  /// nothing; empty: 0.
  FeatureSums(std::uint32_t n_features, std::uint32_t n_classes, std::vector<double> origin = {});

  /// Those of the first `n` samples of a part.
  static FeatureSums of(const data::Dataset& dataset, Part part, std::uint32_t n,
                        Features& features);

  /// features: [n, n_features + 1]. Sums in double, in row order: how rows are cut into calls does
  /// not change a bit.
  void add(std::span<const float> features);
  /// values: [n_features].
  void add_row(std::span<const float> values, std::uint32_t class_index);
  /// At least one row must have been added.
  [[nodiscard]] Statistics mean() const;

  /// Mean, and covariance divided by n - 1 as numpy.cov and the published programs of FID have it;
  /// that of one sample is zero.
  [[nodiscard]] static Gaussian gaussian(const Statistics& statistics, std::uint32_t n_features);
  /// The shares of the classes in such statistics.
  [[nodiscard]] static std::span<const double> class_shares(const Statistics& statistics,
                                                            std::uint32_t n_classes);
  /// How many values such statistics have.
  [[nodiscard]] static std::size_t n_values(std::uint32_t n_features, std::uint32_t n_classes);

 private:
  std::uint32_t n_features_;
  std::uint32_t n_classes_;
  std::uint64_t n_rows_ = 0;
  std::vector<double> origin_;
  std::vector<double> row_;
  std::vector<double> sums_;
};

}  // namespace lipizz::metrics
