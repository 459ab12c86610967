#pragma once

#include <vector>

#include "metrics/features.hpp"

namespace lipizz::metrics {

/// Random Fourier features of a point x of any number of values: cos(w.z) and sin(w.z) for fixed
/// directions w, z being x with each value less its mean, over its standard deviation in the
/// training samples. Samples of the same means of these have the same characteristic function at
/// each w (Rahimi and Recht, "Random features for large-scale kernel machines", 2007), so modes and
/// gaps are seen, and not the first two moments alone. They tell no classes.
///
/// The directions' values are normal with standard deviation s / sqrt(number of values), where s
/// is 1, 2, 4 and 8 in turn.
class FourierFeatures final : public Features {
 public:
  static constexpr std::uint32_t kDirections = 32;

  /// Reads all training samples of the dataset, which are points.
  explicit FourierFeatures(const data::Dataset& dataset);

  void compute(std::span<const float> samples, std::span<float> out) override;

 private:
  std::vector<double> means_;       // [n_values of a point]
  std::vector<double> scales_;      // one over the standard deviations; 1 where that is 0
  std::vector<double> directions_;  // [kDirections, n_values of a point], in turns
};

}  // namespace lipizz::metrics
