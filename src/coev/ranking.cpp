#include "coev/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lipizz::coev {

bool is_better(double a, double b) {
  return std::isfinite(a) && (!std::isfinite(b) || a < b);
}

bool precedes(double fitness_a, CellId a, double fitness_b, CellId b) {
  if (is_better(fitness_a, fitness_b)) return true;
  return !is_better(fitness_b, fitness_a) && a < b;
}

std::optional<std::size_t> best_finite(std::span<const double> fitness,
                                       std::span<const CellId> cells) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < fitness.size(); ++i) {
    if (!std::isfinite(fitness[i])) continue;
    if (!best || precedes(fitness[i], cells[i], fitness[*best], cells[*best])) best = i;
  }
  return best;
}

std::vector<std::size_t> ranked(std::span<const double> fitness, std::span<const CellId> cells) {
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return precedes(fitness[a], cells[a], fitness[b], cells[b]);
  });
  return order;
}

}  // namespace lipizz::coev
