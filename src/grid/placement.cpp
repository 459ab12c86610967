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

Counts one_each_for_the_strongest(std::uint32_t n_cells, std::span<const Speed> workers) {
  std::vector<std::size_t> order(workers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return workers[i].with(1); });
  Counts counts(workers.size(), 0);
  for (std::uint32_t i = 0; i < n_cells; ++i) counts[order[i]] = 1;
  return counts;
}

// The most cells with which a worker's generation is no longer than `time`.
std::uint32_t cells_within(double time, const Speed& worker, std::uint32_t most) {
  if (!(worker.with(1) <= time)) return 0;
  const double quotient = (time - worker.fixed_s) / worker.per_cell_s;
  std::uint32_t n = quotient < most ? static_cast<std::uint32_t>(quotient) : most;
  while (n > 1 && worker.with(n) > time) --n;  // the quotient was rounded
  while (n < most && worker.with(n + 1) <= time) ++n;
  return n;
}

// `counts` with all cells that generations no longer than `time` have room for.
Counts filled(double time, std::uint32_t n_cells, std::span<const Speed> workers, Counts counts) {
  for (std::size_t i = 0; i < workers.size(); ++i) {
    counts[i] = std::max(counts[i], cells_within(time, workers[i], n_cells));
  }
  return counts;
}

std::uint64_t sum_of(const Counts& counts) {
  return std::reduce(counts.begin(), counts.end(), std::uint64_t{0});
}

// As far as balanced() comes with generations of one length, found without going cell by cell.
Counts nearly_balanced(std::uint32_t n_cells, std::span<const Speed> workers,
                       const Counts& counts) {
  constexpr int kHalvings = 64;
  const auto fits = [&](double time) {
    return sum_of(filled(time, n_cells, workers, counts)) <= n_cells;
  };
  double low = 0;
  double high = std::numeric_limits<double>::infinity();  // in which one worker does all
  for (const Speed& worker : workers) high = std::min(high, worker.with(n_cells));
  if (!fits(low)) return counts;
  for (int i = 0; i < kHalvings; ++i) {
    const double time = low + (high - low) / 2;
    (fits(time) ? low : high) = time;
  }
  return filled(low, n_cells, workers, counts);
}

// Every cell beyond `counts` to the worker whose generation stays shortest with it: as generations
// only grow with cells, the longest is as short as can be.
Counts balanced(std::uint32_t n_cells, std::span<const Speed> workers, Counts counts) {
  using Candidate = std::pair<double, std::size_t>;
  counts = nearly_balanced(n_cells, workers, counts);
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> next;
  const auto add = [&](std::size_t i) { next.emplace(workers[i].with(counts[i] + 1), i); };
  for (std::size_t i = 0; i < workers.size(); ++i) add(i);
  for (auto placed = sum_of(counts); placed < n_cells; ++placed) {
    const std::size_t i = next.top().second;
    next.pop();
    ++counts[i];
    add(i);
  }
  return counts;
}

Counts counts_of(std::span<const std::size_t> worker_of, std::size_t n_workers) {
  Counts counts(n_workers, 0);
  for (const std::size_t worker : worker_of) ++counts[worker];
  return counts;
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

Counts place(std::uint32_t n_cells, std::span<const Capacity> workers) {
  check_possible(n_cells, workers.size());
  const std::vector<Speed> speeds = speeds_of(workers);
  if (n_cells < workers.size()) return one_each_for_the_strongest(n_cells, speeds);
  return balanced(n_cells, speeds, Counts(workers.size(), 1));
}

Counts place(std::uint32_t n_cells, std::span<const Speed> workers) {
  check_possible(n_cells, workers.size());
  return balanced(n_cells, workers, Counts(workers.size(), 0));
}

double longest_generation(std::span<const std::size_t> worker_of, std::span<const Speed> workers) {
  const Counts counts = counts_of(worker_of, workers.size());
  double longest = 0;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    longest = std::max(longest, workers[i].with(counts[i]));
  }
  return longest;
}

std::vector<std::size_t> balance(std::vector<std::size_t> worker_of, std::span<const Speed> workers,
                                 const std::vector<bool>& may_be_empty) {
  Counts counts = counts_of(worker_of, workers.size());
  const auto all = std::views::iota(std::size_t{0}, workers.size());
  const auto now = [&](std::size_t i) { return workers[i].with(counts[i]); };
  const auto with_one_more = [&](std::size_t i) { return workers[i].with(counts[i] + 1); };
  while (true) {
    const std::size_t from = *std::ranges::max_element(all, {}, now);
    const std::size_t to = *std::ranges::min_element(all, {}, with_one_more);
    if (with_one_more(to) >= now(from) || (counts[from] == 1 && !may_be_empty[from])) {
      return worker_of;
    }
    *std::ranges::find(worker_of.rbegin(), worker_of.rend(), from) = to;
    --counts[from];
    ++counts[to];
  }
}

std::vector<std::size_t> move_cells(std::vector<std::size_t> worker_of,
                                    std::span<const Speed> workers,
                                    const std::vector<bool>& is_lost) {
  if (std::ranges::find(is_lost, false) == is_lost.end()) {
    throw InternalError("no worker is left to move cells to");
  }
  Counts counts = counts_of(worker_of, workers.size());
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
