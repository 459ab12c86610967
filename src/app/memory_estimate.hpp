#pragma once

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "setup/memory_report.hpp"

namespace lipizz::app {

/// The memory of a run whose cells are placed. Looks at the dataset's files and allocates nothing
/// to speak of. DataError where they cannot be looked at, ConfigError where their samples do not
/// fill a batch.
setup::MemoryEstimate estimate_memory(const config::Experiment& experiment,
                                      const comm::RunPlan& run_plan);

}  // namespace lipizz::app
