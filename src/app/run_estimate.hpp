#pragma once

#include <span>
#include <string>

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"

namespace lipizz::app {

/// What a run will hold in memory when it holds most, for people: a line for the worker that holds
/// most, and one for each host. Opens the dataset to measure it; allocates nothing else.
/// `inventory` is by rank.
std::string memory_estimate(const config::Experiment& experiment, const comm::RunPlan& run_plan,
                            std::span<const comm::InventoryEntry> inventory);

}  // namespace lipizz::app
