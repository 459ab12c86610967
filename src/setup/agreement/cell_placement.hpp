#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "comm/comm_manager.hpp"
#include "comm/setup_messages.hpp"
#include "core/ids.hpp"
#include "grid/torus.hpp"

namespace lipizz::setup {

/// Which ranks host which cells: grid/placement.hpp over what the inventory says of the workers;
/// pure functions. `entries` has one entry per rank, the master's own first.

/// The cores of all hosts that these ranks may use; ranks of a host may all use the same ones, or
/// each some of its own.
std::uint32_t cores_of(std::span<const comm::InventoryEntry> ranks);

/// How the cells of a run on this device are placed: as wanted (`shares`, `measured`), or for
/// `auto` by measured speed where workers compute with different things.
std::string agreed_placement(const std::string& wanted, const std::string& device);

/// The rank of each cell: by the workers' speeds where all have measured them, else by each one's
/// share of its node. Needs at least one worker, with its helpers.
std::vector<std::int32_t> place_cells(std::span<const comm::InventoryEntry> entries,
                                      const grid::Torus& torus, std::uint32_t ranks_per_cell = 1);

/// The same after the cells of lost workers have moved to others.
std::vector<std::int32_t> placement_without(std::span<const comm::InventoryEntry> entries,
                                            std::span<const std::int32_t> rank_of_cell,
                                            const std::set<Rank>& lost,
                                            std::uint32_t ranks_per_cell = 1);

/// The ranks that train, and LOCAL's shape.
comm::Groups groups_of(const comm::RunPlan& run_plan, const grid::Torus& torus);

}  // namespace lipizz::setup
