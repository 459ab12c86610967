#pragma once

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"

namespace lipizz::setup {

/// Describes this process and its node for an experiment whose model and engine are resolved.
/// `configuration_hash` is that of the experiment as it was given.
comm::InventoryEntry inventory_of_this_process(const config::Experiment& experiment,
                                               std::uint64_t configuration_hash);

/// Cores that this process may use, at least 1: those of its affinity, but no more than its control
/// groups give time for.
std::uint32_t usable_cores();
/// A number for the set of them that the affinity is; 0 where that is not known.
std::uint64_t core_set();
/// GPUs of this node that the experiment may use. Where it asks for none their library is not even
/// loaded.
std::uint32_t usable_gpus(const config::Experiment& experiment);

}  // namespace lipizz::setup
