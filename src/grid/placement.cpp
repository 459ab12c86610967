#include "grid/placement.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <ranges>
#include <utility>

#include "core/error.hpp"

namespace lipizz::grid {
namespace {

std::vector<double> weights_of(std::span<const Capacity> workers) {
  Capacity total{0, 0};
  for (const Capacity& worker : workers) {
    if (!(worker.cores > 0) || !(worker.memory_bytes > 0)) {
      throw InternalError("a worker without cores or memory cannot be placed on");
    }
    total.cores += worker.cores;
    total.memory_bytes += worker.memory_bytes;
  }
  std::vector<double> weights;
  for (const Capacity& worker : workers) {
    weights.push_back(
        std::min(worker.cores / total.cores, worker.memory_bytes / total.memory_bytes));
  }
  return weights;
}

std::vector<std::uint32_t> one_each_for_the_strongest(std::uint32_t n_cells,
                                                      std::span<const double> weights) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return weights[i]; });
  std::vector<std::uint32_t> counts(weights.size(), 0);
  for (std::uint32_t i = 0; i < n_cells; ++i) counts[order[i]] = 1;
  return counts;
}

// One cell each, then every further one to the worker whose load stays lowest with it.
std::vector<std::uint32_t> balanced(std::uint32_t n_cells, std::span<const double> weights) {
  using Load = std::pair<double, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> next;
  std::vector<std::uint32_t> counts(weights.size(), 1);
  for (std::size_t i = 0; i < weights.size(); ++i) next.emplace(2 / weights[i], i);
  for (std::size_t placed = weights.size(); placed < n_cells; ++placed) {
    const std::size_t i = next.top().second;
    next.pop();
    ++counts[i];
    next.emplace((counts[i] + 1) / weights[i], i);
  }
  return counts;
}

}  // namespace

Placement place(std::uint32_t n_cells, std::span<const Capacity> workers) {
  if (n_cells == 0 || workers.empty()) throw InternalError("nothing to place, or nowhere to");
  const std::vector<double> weights = weights_of(workers);
  const std::vector<std::uint32_t> counts = n_cells < workers.size()
                                                ? one_each_for_the_strongest(n_cells, weights)
                                                : balanced(n_cells, weights);
  Placement placement;
  for (std::size_t worker = 0; worker < workers.size(); ++worker) {
    auto& cells = placement.hosted.emplace_back();
    for (std::uint32_t i = 0; i < counts[worker]; ++i) {
      cells.push_back({static_cast<std::uint32_t>(placement.worker_of.size())});
      placement.worker_of.push_back(worker);
    }
  }
  return placement;
}

std::vector<std::size_t> move_cells(std::vector<std::size_t> worker_of,
                                    std::span<const Capacity> workers,
                                    const std::vector<bool>& is_lost) {
  if (std::ranges::find(is_lost, false) == is_lost.end()) {
    throw InternalError("no worker is left to move cells to");
  }
  const std::vector<double> weights = weights_of(workers);
  std::vector<std::uint32_t> counts(workers.size(), 0);
  for (const std::size_t worker : worker_of) ++counts[worker];
  const auto load_with_one_more = [&](std::size_t worker) {
    return is_lost[worker] ? std::numeric_limits<double>::infinity()
                           : (counts[worker] + 1) / weights[worker];
  };
  for (std::size_t& worker : worker_of) {
    if (!is_lost[worker]) continue;
    const auto all = std::views::iota(std::size_t{0}, workers.size());
    worker = *std::ranges::min_element(all, {}, load_with_one_more);
    ++counts[worker];
  }
  return worker_of;
}

}  // namespace lipizz::grid
