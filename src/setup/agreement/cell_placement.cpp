#include "setup/agreement/cell_placement.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "grid/placement.hpp"

namespace lipizz::setup {
namespace {

using comm::InventoryEntry;
using Entries = std::span<const InventoryEntry>;

// Those of the workers, who follow the master, each before its helpers.
std::vector<InventoryEntry> workers_of(Entries entries, std::uint32_t ranks_per_cell) {
  std::vector<InventoryEntry> workers;
  for (std::size_t rank = 1; rank < entries.size(); rank += ranks_per_cell) {
    workers.push_back(entries[rank]);
  }
  return workers;
}

// Each worker has a share of its node to itself.
std::vector<grid::Capacity> capacities(Entries workers) {
  std::map<std::string, double> n_workers;
  std::map<std::string, double> cores;
  for (const InventoryEntry& worker : workers) {
    n_workers[worker.host] += 1;
    cores[worker.host] = std::max(cores[worker.host], static_cast<double>(worker.cores));
  }
  std::vector<grid::Capacity> shares;
  for (const InventoryEntry& worker : workers) {
    const double n = n_workers[worker.host];
    shares.push_back({.cores = std::max(1.0, cores[worker.host]) / n,
                      .memory_bytes = std::max(1.0, static_cast<double>(worker.memory.bytes)) / n});
  }
  return shares;
}

bool have_measured(Entries workers) {
  return std::ranges::all_of(workers, [](const auto& worker) { return worker.speed.has_value(); });
}

std::vector<Speed> speeds(Entries workers) {
  if (!have_measured(workers)) return grid::speeds_of(capacities(workers));
  std::vector<Speed> measured;
  for (const InventoryEntry& worker : workers) measured.push_back(*worker.speed);
  return measured;
}

std::int32_t rank_of(std::size_t worker, std::uint32_t ranks_per_cell) {
  return static_cast<std::int32_t>(worker * ranks_per_cell) + 1;
}

std::size_t worker_at(std::int32_t rank, std::uint32_t ranks_per_cell) {
  return (static_cast<std::size_t>(rank) - 1) / ranks_per_cell;
}

}  // namespace

std::string agreed_placement(const std::string& wanted, const std::string& device) {
  if (wanted != "auto") return wanted;
  return device == "cuda+cpu" ? "measured" : "shares";
}

std::vector<std::int32_t> place_cells(Entries entries, const grid::Torus& torus,
                                      std::uint32_t ranks_per_cell) {
  const std::vector<InventoryEntry> workers = workers_of(entries, ranks_per_cell);
  const grid::Counts counts = have_measured(workers)
                                  ? grid::place(torus.cells(), speeds(workers))
                                  : grid::place(torus.cells(), capacities(workers));
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
  const std::vector<InventoryEntry> workers = workers_of(entries, ranks_per_cell);
  std::vector<std::size_t> worker_of_cell;
  for (const std::int32_t rank : rank_of_cell) {
    worker_of_cell.push_back(worker_at(rank, ranks_per_cell));
  }
  std::vector<bool> is_lost(workers.size(), false);
  for (const Rank rank : lost) {
    if (comm::worker_of(rank, ranks_per_cell) != rank) continue;
    is_lost[worker_at(rank.value, ranks_per_cell)] = true;
  }
  std::vector<std::int32_t> ranks;
  for (const std::size_t worker :
       grid::move_cells(std::move(worker_of_cell), speeds(workers), is_lost)) {
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
