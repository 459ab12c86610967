#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "comm/comm_manager.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "grid/torus.hpp"

namespace lipizz::master {

/// What the master makes of the inventory; pure functions. `entries` has one entry per rank, the
/// master's own first.

/// Throws the error of a rank that failed (that of the lowest rank; it is named unless all failed
/// alike), and ConfigError naming ranks and hosts when versions, builds or configurations differ.
void check_agreement(std::span<const comm::InventoryEntry> entries);

/// The numerics level of the run: `wanted`, or for `auto` the highest that all workers offer.
/// ConfigError naming the rank that does not offer what is wanted.
std::string agreed_numerics(std::span<const comm::InventoryEntry> entries,
                            const std::string& wanted);

/// Which rank hosts each cell: grid/placement.hpp over the workers, each with its share of its
/// node. Needs at least one worker.
std::vector<std::int32_t> place_cells(std::span<const comm::InventoryEntry> entries,
                                      const grid::Torus& torus);

/// The same after the cells of lost ranks have moved to others.
std::vector<std::int32_t> move_cells(std::span<const comm::InventoryEntry> entries,
                                     std::span<const std::int32_t> rank_of_cell,
                                     const std::set<Rank>& lost);

/// Who trains, and LOCAL's shape.
comm::Groups groups_of(const comm::Verdict& verdict, const grid::Torus& torus);

/// `rank 3 on node7`
std::string name_of(std::span<const comm::InventoryEntry> entries, std::size_t rank);

/// `rank 3 on node7: 8 cores, 31 GB, no accelerator, hosts cells 4-7`, one line per rank.
std::vector<std::string> inventory_lines(std::span<const comm::InventoryEntry> entries,
                                         const comm::Verdict& verdict);

}  // namespace lipizz::master
