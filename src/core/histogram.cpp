#include "core/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lipizz {
namespace {

template <class Number>
Histogram histogram(std::span<const Number> values) {
  Histogram result;
  result.min = std::numeric_limits<double>::infinity();
  result.max = -result.min;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    result.min = std::min(result.min, value);
    result.max = std::max(result.max, value);
    result.sum += value;
    result.sum_squares += value * value;
  }
  if (result.min > result.max) return {};
  result.counts.resize(Histogram::kBuckets);
  // Halves, since the width of all doubles is none.
  const double width = result.max / 2 - result.min / 2;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    const double place = width > 0 ? (value / 2 - result.min / 2) / width : 0;
    const auto bucket = static_cast<std::size_t>(place * Histogram::kBuckets);
    ++result.counts[std::min(bucket, Histogram::kBuckets - 1)];
  }
  return result;
}

}  // namespace

Histogram histogram_of(std::span<const float> values) {
  return histogram(values);
}

Histogram histogram_of(std::span<const double> values) {
  return histogram(values);
}

}  // namespace lipizz
