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

using Counts = std::vector<std::uint32_t>;  // cells, by worker

Counts one_each_for_the_strongest(std::uint32_t n_cells, std::span<const Speed> workers) {
  std::vector<std::size_t> order(workers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return workers[i].with(1); });
  Counts counts(workers.size(), 0);
  for (std::uint32_t i = 0; i < n_cells; ++i) counts[order[i]] = 1;
  return counts;
}

// Every cell beyond `counts` to the worker whose generation stays shortest with it: as generations
// only grow with cells, the longest is as short as can be.
Counts balanced(std::uint32_t n_cells, std::span<const Speed> workers, Counts counts) {
  using Candidate = std::pair<double, std::size_t>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> next;
  const auto add = [&](std::size_t i) { next.emplace(workers[i].with(counts[i] + 1), i); };
  for (std::size_t i = 0; i < workers.size(); ++i) add(i);
  for (auto placed = std::reduce(counts.begin(), counts.end()); placed < n_cells; ++placed) {
    const std::size_t i = next.top().second;
    next.pop();
    ++counts[i];
    add(i);
  }
  return counts;
}

Placement in_blocks(const Counts& counts) {
  Placement placement;
  for (std::size_t worker = 0; worker < counts.size(); ++worker) {
    auto& cells = placement.hosted.emplace_back();
    for (std::uint32_t i = 0; i < counts[worker]; ++i) {
      cells.push_back({static_cast<std::uint32_t>(placement.worker_of.size())});
      placement.worker_of.push_back(worker);
    }
  }
  return placement;
}

void check_possible(std::uint32_t n_cells, std::size_t n_workers) {
  if (n_cells == 0 || n_workers == 0) throw InternalError("nothing to place, or nowhere to");
}

}  // namespace

std::vector<Speed> speeds_of(std::span<const Capacity> workers) {
  Capacity total{0, 0};
  for (const Capacity& worker : workers) {
    if (!(worker.cores > 0) || !(worker.memory_bytes > 0)) {
      throw InternalError("a worker without cores or memory cannot be placed on");
    }
    total.cores += worker.cores;
    total.memory_bytes += worker.memory_bytes;
  }
  std::vector<Speed> speeds;
  for (const Capacity& worker : workers) {
    const double weight =
        std::min(worker.cores / total.cores, worker.memory_bytes / total.memory_bytes);
    speeds.push_back({.fixed_s = 0, .per_cell_s = 1 / weight});
  }
  return speeds;
}

Placement place(std::uint32_t n_cells, std::span<const Capacity> workers) {
  check_possible(n_cells, workers.size());
  const std::vector<Speed> speeds = speeds_of(workers);
  if (n_cells < workers.size()) return in_blocks(one_each_for_the_strongest(n_cells, speeds));
  return in_blocks(balanced(n_cells, speeds, Counts(workers.size(), 1)));
}

Placement place(std::uint32_t n_cells, std::span<const Speed> workers) {
  check_possible(n_cells, workers.size());
  return in_blocks(balanced(n_cells, workers, Counts(workers.size(), 0)));
}

std::vector<std::size_t> move_cells(std::vector<std::size_t> worker_of,
                                    std::span<const Speed> workers,
                                    const std::vector<bool>& is_lost) {
  if (std::ranges::find(is_lost, false) == is_lost.end()) {
    throw InternalError("no worker is left to move cells to");
  }
  Counts counts(workers.size(), 0);
  for (const std::size_t worker : worker_of) ++counts[worker];
  const auto with_one_more = [&](std::size_t worker) {
    return is_lost[worker] ? std::numeric_limits<double>::infinity()
                           : workers[worker].with(counts[worker] + 1);
  };
  for (std::size_t& worker : worker_of) {
    if (!is_lost[worker]) continue;
    const auto all = std::views::iota(std::size_t{0}, workers.size());
    worker = *std::ranges::min_element(all, {}, with_one_more);
    ++counts[worker];
  }
  return worker_of;
}

}  // namespace lipizz::grid
