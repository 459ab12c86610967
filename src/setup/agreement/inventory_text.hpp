#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "comm/setup_messages.hpp"

namespace lipizz::setup {

/// The inventory in words, for messages and the log. `entries` has one entry per rank.

/// `rank 3 on node7`
std::string name_of(std::span<const comm::InventoryEntry> entries, std::size_t rank);

/// `rank 3 on node7: 8 cores, load 0.1, 31 GB, of which 29 can still be had, no accelerator,
/// computes with cpu, hosts cells 4-7`, one line per rank.
std::vector<std::string> inventory_lines(std::span<const comm::InventoryEntry> entries,
                                         const comm::RunPlan& run_plan);

/// A warning where workers may use fewer cores than they have threads, naming the first of them;
/// empty: none.
std::string core_warning(std::span<const comm::InventoryEntry> entries,
                         std::uint32_t threads_per_worker);

}  // namespace lipizz::setup
