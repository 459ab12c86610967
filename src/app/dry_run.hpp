#pragma once

#include <span>
#include <string>

#include "comm/setup_messages.hpp"
#include "setup/memory_report.hpp"

namespace lipizz::app {

/// The text that `--dry-run` prints: a line for each rank, and the estimate of memory. `inventory`
/// is by rank.
std::string dry_run_report(const setup::MemoryEstimate& estimate, const comm::RunPlan& run_plan,
                           std::span<const comm::InventoryEntry> inventory);

}  // namespace lipizz::app
