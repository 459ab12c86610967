#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lipizz {

/// How values are spread.
struct Histogram {
  /// Buckets of one.
  static constexpr std::size_t kBuckets = 30;

  double min = 0;
  double max = 0;
  double sum = 0;
  double sum_squares = 0;
  std::vector<std::uint32_t> counts;  // of buckets of equal width from min to max

  bool operator==(const Histogram&) const = default;
};

/// Takes the values that are finite, in two passes; there are no counts where no value is.
Histogram histogram_of(std::span<const float> values);
Histogram histogram_of(std::span<const double> values);

}  // namespace lipizz
