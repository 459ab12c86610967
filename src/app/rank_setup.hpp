#pragma once

#include <exception>
#include <functional>

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"

namespace lipizz::app {

/// Makes the experiment that has passed setup::validate(), or throws the Error that ends the run: a
/// wrong option, a configuration that is missing on this rank's node.
using LoadExperiment = std::function<config::Experiment()>;

/// One rank brings this to the set-up.
struct RankSetup {
  config::Experiment experiment;  // its model and engine resolved, its paths absolute
  comm::InventoryEntry entry;
};

/// Calls `load` and looks at this process. Throws nothing: a failure goes to the master in the
/// inventory, so that one rank reports it and all leave.
RankSetup prepare_rank(const LoadExperiment& load);

/// Enters a failure in place of what this rank has to tell.
void record_failure(comm::InventoryEntry& entry, const std::exception& failure);

}  // namespace lipizz::app
