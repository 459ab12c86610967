#include "setup/agreement/cell_placement.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "grid/placement.hpp"

namespace lipizz::setup {
namespace {

using comm::InventoryEntry;
using Entries = std::span<const InventoryEntry>;

// Ranks of a host may use the same cores, or each its own, but no more than all may together.
std::map<std::string, std::uint32_t> cores_by_host(Entries ranks) {
  std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> cores_of_sets;
  std::map<std::string, std::uint32_t> most;
  for (const InventoryEntry& rank : ranks) {
    std::uint32_t& cores = cores_of_sets[{rank.host, rank.cores.set}];
    cores = std::max(cores, rank.cores.n);
    most[rank.host] = std::max(most[rank.host], rank.cores.n_of_all);
  }
  std::map<std::string, std::uint32_t> found;
  for (const auto& [set, cores] : cores_of_sets) found[set.first] += cores;
  for (auto& [host, cores] : found) {
    if (most.at(host) > 0) cores = std::min(cores, most.at(host));
  }
  return found;
}

// Each rank that computes has a share of its node to itself.
std::vector<grid::Capacity> shares_of(Entries ranks) {
  const std::map<std::string, std::uint32_t> cores = cores_by_host(ranks);
  std::map<std::string, double> n_ranks;
  for (const InventoryEntry& rank : ranks) n_ranks[rank.host] += 1;
  std::vector<grid::Capacity> shares;
  for (const InventoryEntry& rank : ranks) {
    const double n = n_ranks[rank.host];
    shares.push_back({.cores = std::max(1.0, static_cast<double>(cores.at(rank.host))) / n,
                      .memory_bytes = std::max(1.0, static_cast<double>(rank.memory.bytes)) / n});
  }
  return shares;
}

// A worker and its helpers wait for each other: they have what the least of them has.
std::vector<grid::Capacity> capacities(Entries ranks, std::uint32_t ranks_per_cell) {
  const std::vector<grid::Capacity> shares = shares_of(ranks);
  std::vector<grid::Capacity> workers;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (i % ranks_per_cell == 0) workers.push_back(shares[i]);
    workers.back().cores = std::min(workers.back().cores, shares[i].cores);
    workers.back().memory_bytes = std::min(workers.back().memory_bytes, shares[i].memory_bytes);
  }
  return workers;
}

bool have_measured(Entries ranks) {
  return std::ranges::all_of(ranks, [](const auto& rank) { return rank.speed.has_value(); });
}

// And are as quick as the slowest of them.
std::vector<Speed> measured(Entries ranks, std::uint32_t ranks_per_cell) {
  std::vector<Speed> workers;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Speed& speed = *ranks[i].speed;
    if (i % ranks_per_cell == 0) workers.push_back(speed);
    workers.back().fixed_s = std::max(workers.back().fixed_s, speed.fixed_s);
    workers.back().per_cell_s = std::max(workers.back().per_cell_s, speed.per_cell_s);
  }
  return workers;
}

std::vector<Speed> speeds(Entries ranks, std::uint32_t ranks_per_cell) {
  return have_measured(ranks) ? measured(ranks, ranks_per_cell)
                              : grid::speeds_of(capacities(ranks, ranks_per_cell));
}

std::int32_t rank_of(std::size_t worker, std::uint32_t ranks_per_cell) {
  return static_cast<std::int32_t>(worker * ranks_per_cell) + 1;
}

std::size_t worker_at(std::int32_t rank, std::uint32_t ranks_per_cell) {
  return (static_cast<std::size_t>(rank) - 1) / ranks_per_cell;
}

}  // namespace

std::uint32_t cores_of(Entries ranks) {
  std::uint32_t n = 0;
  for (const auto& [host, cores] : cores_by_host(ranks)) n += cores;
  return n;
}

std::string agreed_placement(const std::string& wanted, const std::string& device) {
  if (wanted != "auto") return wanted;
  return device == "cuda+cpu" ? "measured" : "shares";
}

std::vector<std::int32_t> place_cells(Entries entries, const grid::Torus& torus,
                                      std::uint32_t ranks_per_cell) {
  const Entries computing = entries.subspan(1);
  const grid::Counts counts =
      have_measured(computing) ? grid::place(torus.cells(), measured(computing, ranks_per_cell))
                               : grid::place(torus.cells(), capacities(computing, ranks_per_cell));
  std::vector<std::int32_t> ranks;
  ranks.reserve(torus.cells());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    ranks.insert(ranks.end(), counts[i], rank_of(i, ranks_per_cell));
  }
  return ranks;
}

std::vector<std::int32_t> placement_without(Entries entries,
                                            std::span<const std::int32_t> rank_of_cell,
                                            const std::set<Rank>& lost,
                                            std::uint32_t ranks_per_cell) {
  const std::vector<Speed> workers = speeds(entries.subspan(1), ranks_per_cell);
  std::vector<std::size_t> worker_of_cell;
  for (const std::int32_t rank : rank_of_cell) {
    worker_of_cell.push_back(worker_at(rank, ranks_per_cell));
  }
  std::vector<bool> is_lost(workers.size(), false);
  for (const Rank rank : lost) {
    if (worker_of(rank, ranks_per_cell) != rank) continue;
    is_lost[worker_at(rank.value, ranks_per_cell)] = true;
  }
  std::vector<std::int32_t> ranks;
  for (const std::size_t worker : grid::move_cells(std::move(worker_of_cell), workers, is_lost)) {
    ranks.push_back(rank_of(worker, ranks_per_cell));
  }
  return ranks;
}

comm::Groups groups_of(const comm::RunPlan& run_plan, const grid::Torus& torus) {
  comm::Groups groups{comm::active_in(run_plan.rank_of_cell), std::nullopt};
  if (groups.active.size() == torus.cells()) groups.torus = {torus.rows, torus.columns};
  groups.ranks_per_cell = run_plan.ranks_per_cell;
  return groups;
}

}  // namespace lipizz::setup
