#include "coev/novelty.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coev/ranking.hpp"
#include "core/check.hpp"

namespace lipizz::coev {
namespace {

double mean_of_least(std::vector<double> values, std::size_t k) {
  std::ranges::sort(values);
  values.resize(std::min(values.size(), k));
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double behaviour_distance(const Behaviour& a, const Behaviour& b) {
  LIPIZZ_ASSERT(a.size() == b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

std::vector<double> novelties(std::span<const Behaviour> behaviours, std::size_t k) {
  std::vector<double> all;
  for (std::size_t i = 0; i < behaviours.size(); ++i) {
    std::vector<double> distances;
    for (std::size_t j = 0; j < behaviours.size() && !behaviours[i].empty(); ++j) {
      if (j == i || behaviours[j].empty()) continue;
      distances.push_back(behaviour_distance(behaviours[i], behaviours[j]));
    }
    all.push_back(mean_of_least(std::move(distances), k));
  }
  return all;
}

std::vector<std::size_t> pareto_fronts(std::span<const double> fitness,
                                       std::span<const double> novelty) {
  LIPIZZ_ASSERT(fitness.size() == novelty.size());
  const auto dominates = [&](std::size_t a, std::size_t b) {
    if (std::isfinite(fitness[a]) != std::isfinite(fitness[b])) return std::isfinite(fitness[a]);
    if (is_better(fitness[b], fitness[a]) || novelty[b] > novelty[a]) return false;
    return is_better(fitness[a], fitness[b]) || novelty[a] > novelty[b];
  };
  // In this order nobody is dominated by one that comes later.
  std::vector<std::size_t> order(fitness.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (is_better(fitness[a], fitness[b]) || is_better(fitness[b], fitness[a])) {
      return is_better(fitness[a], fitness[b]);
    }
    return novelty[a] > novelty[b];
  });
  std::vector<std::size_t> fronts(fitness.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!dominates(order[j], order[i])) continue;
      fronts[order[i]] = std::max(fronts[order[i]], fronts[order[j]] + 1);
    }
  }
  return fronts;
}

}  // namespace lipizz::coev
