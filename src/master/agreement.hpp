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

/// What a run computes with.
struct AgreedDevice {
  std::string name;  // as the configuration's `device`, but for `auto`
  std::string note;  // what `auto` chose, and why; else empty
};

/// `wanted`, or for `auto` GPUs where all workers have one, else the processor. ConfigError naming
/// the rank that lacks the GPU that is wanted; `cuda+cpu` wants one of any worker.
AgreedDevice agreed_device(std::span<const comm::InventoryEntry> entries,
                           const std::string& wanted);

/// What each rank computes with, as nn::open_device() takes it; the master's is empty. `cuda`: the
/// GPUs of a node are dealt out to its workers in turn. `cuda+cpu`: each goes to one worker, and
/// those that come after compute on the processor.
std::vector<std::string> dealt_devices(std::span<const comm::InventoryEntry> entries,
                                       const std::string& device);

/// How the cells of such a run are placed: `wanted` (shares, measured), or for `auto` by measured
/// speed where workers compute with different things.
std::string agreed_placement(const std::string& wanted, const std::string& device);

/// Which rank hosts each cell: grid/placement.hpp over the workers, by their paces where all have
/// measured them, else each with its share of its node. Needs at least one worker.
std::vector<std::int32_t> place_cells(std::span<const comm::InventoryEntry> entries,
                                      const grid::Torus& torus);

/// The same after the cells of lost ranks have moved to others.
std::vector<std::int32_t> move_cells(std::span<const comm::InventoryEntry> entries,
                                     std::span<const std::int32_t> rank_of_cell,
                                     const std::set<Rank>& lost);

/// Who trains, and LOCAL's shape.
comm::Groups groups_of(const comm::RunPlan& run_plan, const grid::Torus& torus);

/// `rank 3 on node7`
std::string name_of(std::span<const comm::InventoryEntry> entries, std::size_t rank);

/// `rank 3 on node7: 8 cores, 31 GB, no accelerator, computes with cpu, hosts cells 4-7`, one line
/// per rank.
std::vector<std::string> inventory_lines(std::span<const comm::InventoryEntry> entries,
                                         const comm::RunPlan& run_plan);

}  // namespace lipizz::master
