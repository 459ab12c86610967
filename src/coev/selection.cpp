#include "coev/selection.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "coev/fitness.hpp"
#include "core/check.hpp"

namespace lipizz::coev {

bool precedes(double fitness_a, CellId a, double fitness_b, CellId b) {
  if (is_better(fitness_a, fitness_b)) return true;
  return !is_better(fitness_b, fitness_a) && a < b;
}

std::size_t tournament(std::span<const double> fitness, std::span<const CellId> cells,
                       std::uint32_t size, const Random& random, NetworkRole role) {
  LIPIZZ_ASSERT(!cells.empty() && fitness.size() == cells.size() && size > 0);
  const auto n = static_cast<std::uint32_t>(cells.size());
  std::vector<std::uint32_t> drawn(n);
  std::iota(drawn.begin(), drawn.end(), 0U);
  const std::uint32_t n_drawn = std::min(size, n);
  for (std::uint32_t i = 0; i < n_drawn; ++i) {
    const auto sample = static_cast<std::uint32_t>(role);
    std::swap(drawn[i], drawn[i + random.below(n - i, sample, i)]);
  }
  drawn.resize(n_drawn);
  return *std::ranges::min_element(drawn, [&](std::uint32_t a, std::uint32_t b) {
    return precedes(fitness[a], cells[a], fitness[b], cells[b]);
  });
}

}  // namespace lipizz::coev
