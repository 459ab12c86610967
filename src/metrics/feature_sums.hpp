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
  FeatureSums(std::uint32_t n_features, std::uint32_t n_classes);

  /// Those of the first `n` samples of a part.
  static FeatureSums of(const data::Dataset& dataset, Part part, std::uint32_t n,
                        Features& features);

  /// features: [n, n_features + 1]. Sums in double, in row order: how rows are cut into calls does
  /// not change a bit.
  void add(std::span<const float> features);
  /// At least one row must have been added.
  [[nodiscard]] Statistics mean() const;

  /// Mean and covariance (divided by n) of such statistics.
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
  std::vector<double> row_;
  std::vector<double> sums_;
};

}  // namespace lipizz::metrics
