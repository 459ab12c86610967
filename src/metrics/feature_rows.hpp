#pragma once

#include <cstddef>
#include <span>

namespace lipizz::metrics {

/// Features of samples, a row each: values [n, n_values], row by row.
struct FeatureRows {
  std::span<const float> values;
  std::size_t n_values;

  [[nodiscard]] std::size_t size() const { return values.size() / n_values; }
  [[nodiscard]] std::span<const float> row(std::size_t i) const {
    return values.subspan(i * n_values, n_values);
  }
  /// `n` rows from `begin` on.
  [[nodiscard]] FeatureRows part(std::size_t begin, std::size_t n) const {
    return {values.subspan(begin * n_values, n * n_values), n_values};
  }
};

/// A score of a set of samples, with the standard error of its estimate; NaN: not known.
struct Estimate {
  double value;
  double error;
};

}  // namespace lipizz::metrics
