#include "report/thinning.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.hpp"

namespace lipizz::report {
namespace {

std::vector<std::size_t> all_of(std::size_t n) {
  std::vector<std::size_t> places(n);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

// The places of the smallest and the largest value in [begin, end), in order; one place where they
// are the same or there is no value.
void add_extremes(std::span<const float> series, std::size_t begin, std::size_t end,
                  std::vector<std::size_t>& places) {
  std::size_t low = begin;
  std::size_t high = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isnan(series[low]) || series[i] < series[low]) low = i;
    if (std::isnan(series[high]) || series[i] > series[high]) high = i;
  }
  places.push_back(std::min(low, high));
  if (low != high) places.push_back(std::max(low, high));
}

}  // namespace

std::vector<std::size_t> thinned(std::span<const float> series, std::size_t n_at_most) {
  LIPIZZ_ASSERT(n_at_most >= 4);
  if (series.size() <= n_at_most) return all_of(series.size());
  const std::size_t n_inner = series.size() - 2;
  const std::size_t n_buckets = (n_at_most - 2) / 2;
  std::vector<std::size_t> places{0};
  for (std::size_t bucket = 0; bucket < n_buckets; ++bucket) {
    add_extremes(series, 1 + bucket * n_inner / n_buckets, 1 + (bucket + 1) * n_inner / n_buckets,
                 places);
  }
  places.push_back(series.size() - 1);
  return places;
}

std::vector<std::size_t> evenly_chosen(std::size_t n, std::size_t n_at_most, std::size_t kept) {
  LIPIZZ_ASSERT(n > 0 && n_at_most >= 3 && kept < n);
  if (n <= n_at_most) return all_of(n);
  std::vector<std::size_t> places(n_at_most);
  for (std::size_t i = 0; i < n_at_most; ++i) places[i] = i * (n - 1) / (n_at_most - 1);
  const auto above = std::ranges::lower_bound(places, kept);
  if (*above == kept) return places;
  const bool is_below_nearer = kept - *(above - 1) < *above - kept;
  const bool is_below_first = above - 1 == places.begin();
  const bool is_above_last = above == places.end() - 1;
  *((is_below_nearer && !is_below_first) || is_above_last ? above - 1 : above) = kept;
  return places;
}

}  // namespace lipizz::report
