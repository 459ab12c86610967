#include "metrics/feature_sums.hpp"

#include "core/check.hpp"
#include "core/simd.hpp"

namespace lipizz::metrics {
namespace {

// sums: [d + d (d + 1) / 2], the row and the upper triangle of its outer product.
LIPIZZ_MULTIVERSION void add_moments(const double* row, std::size_t d, double* sums) {
  for (std::size_t i = 0; i < d; ++i) sums[i] += row[i];
  double* products = sums + d;
  for (std::size_t i = 0; i < d; ++i) {
    const double factor = row[i];
    for (std::size_t j = i; j < d; ++j) products[j - i] += factor * row[j];
    products += d - i;
  }
}

}  // namespace

FeatureSums::FeatureSums(std::uint32_t n_features, std::uint32_t n_classes,
                         std::vector<double> origin)
    : n_features_(n_features),
      n_classes_(n_classes),
      origin_(std::move(origin)),
      row_(n_features),
      sums_(n_values(n_features, n_classes)) {
  origin_.resize(n_features);
}

FeatureSums FeatureSums::of(const data::Dataset& dataset, Part part, std::uint32_t n,
                            Features& features) {
  FeatureSums sums(features.n_values(), features.n_classes());
  visit_features(dataset, part, n, features,
                 [&](std::uint32_t, std::span<const float> rows) { sums.add(rows); });
  return sums;
}

void FeatureSums::add(std::span<const float> features) {
  const std::size_t stride = n_features_ + std::size_t{1};
  LIPIZZ_ASSERT(features.size() % stride == 0);
  for (; !features.empty(); features = features.subspan(stride)) {
    add_row(features.first(n_features_), static_cast<std::uint32_t>(features[n_features_]));
  }
}

void FeatureSums::add_row(std::span<const float> values, std::uint32_t class_index) {
  for (std::size_t i = 0; i < n_features_; ++i) row_[i] = values[i] - origin_[i];
  add_moments(row_.data(), n_features_, sums_.data());
  if (class_index < n_classes_) sums_[sums_.size() - n_classes_ + class_index] += 1;
  ++n_rows_;
}

Statistics FeatureSums::mean() const {
  LIPIZZ_ASSERT(n_rows_ > 0);
  Statistics statistics{sums_, static_cast<double>(n_rows_)};
  for (double& value : statistics.values) value /= statistics.n_samples;
  return statistics;
}

Gaussian FeatureSums::gaussian(const Statistics& statistics, std::uint32_t n_features) {
  const std::size_t d = n_features;
  const double* const mean = statistics.values.data();
  const double* product = mean + d;
  const double n = statistics.n_samples;
  const double correction = n > 1 ? n / (n - 1) : 0;
  Gaussian gaussian{{mean, mean + d}, std::vector<double>(d * d)};
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) {
      const double covariance = (*product++ - mean[i] * mean[j]) * correction;
      gaussian.covariance[i * d + j] = covariance;
      gaussian.covariance[j * d + i] = covariance;
    }
  }
  return gaussian;
}

std::span<const double> FeatureSums::class_shares(const Statistics& statistics,
                                                  std::uint32_t n_classes) {
  return std::span(statistics.values).last(n_classes);
}

std::size_t FeatureSums::n_values(std::uint32_t n_features, std::uint32_t n_classes) {
  const std::size_t d = n_features;
  return d + d * (d + 1) / 2 + n_classes;
}

}  // namespace lipizz::metrics
