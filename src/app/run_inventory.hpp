#pragma once

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"

namespace lipizz::app {

/// What this process is and has, for an experiment whose every `auto` is resolved.
/// `configuration_hash` is that of the experiment as it was given.
comm::InventoryEntry inventory_of_this_process(const config::Experiment& experiment,
                                               std::uint64_t configuration_hash);

/// Cores that this process may use, at least 1.
std::uint32_t usable_cores();

}  // namespace lipizz::app
