#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "data/dataset.hpp"

namespace lipizz::metrics {

/// Numbers that stand for a sample where samples are compared by their Gaussians.
class Features {
 public:
  Features(std::uint32_t n_values, std::uint32_t n_classes)
      : n_values_(n_values), n_classes_(n_classes) {}
  virtual ~Features() = default;

  [[nodiscard]] std::uint32_t n_values() const { return n_values_; }
  /// 0: they tell no classes.
  [[nodiscard]] std::uint32_t n_classes() const { return n_classes_; }

  /// samples: [n, sample size]; out: [n, n_values + 1], of each sample its values and the index of
  /// its class, n_classes when it has none. A sample that is not finite has values that are not.
  virtual void compute(std::span<const float> samples, std::span<float> out) = 0;

  /// How likely each class is of samples whose rows compute() gave: rows [n, n_values + 1]; out:
  /// [n, n_classes], rows that sum to 1; NaN where a row is not finite. Features that tell no
  /// classes have nothing to fill.
  virtual void class_probabilities(std::span<const float> /*rows*/,
                                   std::span<float> /*out*/) const {}

 private:
  std::uint32_t n_values_;
  std::uint32_t n_classes_;
};

enum class Part { kTrain, kTest };

/// How many samples are read at once, from the values of one: 250, fewer of large ones.
std::uint32_t rows_at_once(std::size_t sample_size);

/// Features of the first `n` samples of a part, in order, a block at a time: [rows, n_values + 1].
void visit_features(const data::Dataset& dataset, Part part, std::uint32_t n, Features& features,
                    const std::function<void(std::uint32_t first, std::span<const float>)>& visit);

}  // namespace lipizz::metrics
