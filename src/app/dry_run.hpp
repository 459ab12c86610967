#pragma once

#include <span>
#include <string>

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"

namespace lipizz::app {

/// The text that `--dry-run` prints: a line for each rank, and an estimate of memory. Opens the
/// dataset to measure it, and allocates nothing else. `inventory` is by rank.
std::string dry_run_report(const config::Experiment& experiment, const comm::RunPlan& run_plan,
                           std::span<const comm::InventoryEntry> inventory);

}  // namespace lipizz::app
