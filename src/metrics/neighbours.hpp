#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "metrics/feature_rows.hpp"
#include "metrics/packed_rows.hpp"

namespace lipizz::metrics {

/// The squared Euclidean distance of two rows of features, in double: the same bits everywhere.
double squared_distance(std::span<const float> a, std::span<const float> b);

/// Rows of features whose distances are looked at in pairs, as exactly as squared_distance() tells
/// them. A first pass finds in single precision, with a bound of its error, the pairs that may be
/// near enough; these alone, far fewer, are then computed in double.
class NeighbourRows {
 public:
  /// How rows become numbers of at most 1 for the first pass; two sets that are compared have the
  /// same frame.
  struct Frame {
    std::vector<double> centre;
    double scale;
    /// From rows of both sets, all of them finite.
    static Frame of(const FeatureRows& a, const FeatureRows& b);
  };

  /// `rows` and `frame` must outlive it.
  NeighbourRows(const FeatureRows& rows, const Frame& frame);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }

  /// Each row's squared distance to its k-th nearest among the others; k < size().
  [[nodiscard]] std::vector<double> nearest(std::size_t k) const;

  /// Calls `visit` with each pair, of a row of these and one of `other`, whose squared distance is
  /// below the limit of either row, and with that distance, in no order that matters.
  void visit_near(std::span<const double> limits, const NeighbourRows& other,
                  std::span<const double> other_limits,
                  const std::function<void(std::size_t, std::size_t, double)>& visit) const;

 private:
  class Sweep;

  FeatureRows rows_;
  const Frame& frame_;
  PackedRows<float> packed_;
  std::vector<float> lower_norms_;  // [rows of all panels]; two minus twice the product: the bound
};

}  // namespace lipizz::metrics
