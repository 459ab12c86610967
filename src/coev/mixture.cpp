#include "coev/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.hpp"

namespace lipizz::coev {
namespace {

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

Mixture equal_mixture(std::span<const CellId> cells) {
  return {{cells.begin(), cells.end()},
          std::vector<double>(cells.size(), 1 / static_cast<double>(cells.size()))};
}

Mixture with_members(const Mixture& old, std::span<const CellId> cells) {
  if (std::ranges::equal(old.cells, cells)) return old;
  Mixture mixture = equal_mixture(cells);
  const double mean = sum(old.weights) / static_cast<double>(old.weights.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto before = std::ranges::find(old.cells, cells[i]);
    const bool is_new = before == old.cells.end();
    mixture.weights[i] = is_new ? mean : old.weights[before - old.cells.begin()];
  }
  normalise(mixture.weights);
  return mixture;
}

void normalise(std::span<double> weights) {
  const double total = sum(weights);
  const double equal = 1 / static_cast<double>(weights.size());
  for (double& weight : weights) weight = total > 0 ? weight / total : equal;
}

std::vector<std::uint32_t> apportion(std::span<const double> weights, std::uint32_t n) {
  std::vector<std::uint32_t> counts;
  std::vector<double> remainders;
  for (const double weight : weights) {
    const double share = weight * n;
    counts.push_back(static_cast<std::uint32_t>(share));
    remainders.push_back(share - std::floor(share));
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return remainders[i]; });
  const std::uint32_t given = std::accumulate(counts.begin(), counts.end(), 0U);
  LIPIZZ_ASSERT(given <= n && n - given <= counts.size());
  for (std::uint32_t i = 0; i < n - given; ++i) ++counts[order[i]];
  return counts;
}

void hash(Hasher& hasher, const Mixture& mixture) {
  for (std::size_t i = 0; i < mixture.cells.size(); ++i) {
    hasher.value(mixture.cells[i].value);
    hasher.value(mixture.weights[i]);
  }
}

}  // namespace lipizz::coev
