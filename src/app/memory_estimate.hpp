#pragma once

#include <span>
#include <vector>

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "data/description.hpp"
#include "setup/memory_fit.hpp"
#include "setup/memory_report.hpp"

namespace lipizz::app {

/// The dataset as far as it is known without its files: everything but how many samples it has, of
/// which there are none then.
data::Description dataset_without_samples(const config::Experiment& experiment);

/// The memory of a run whose cells are placed. Looks at the dataset's files and allocates nothing
/// to speak of. DataError where they cannot be looked at, ConfigError where their samples do not
/// fill a batch.
setup::MemoryEstimate estimate_memory(const config::Experiment& experiment,
                                      const comm::RunPlan& run_plan);

/// The same for samples like these, however many.
setup::MemoryEstimate estimate_memory(const config::Experiment& experiment,
                                      const comm::RunPlan& run_plan,
                                      const data::Description& dataset);

/// The memory that each host needs and has where cells lie as in this plan. Empty where the
/// experiment has it not checked, and where the dataset's files lie on the workers' hosts alone.
/// `inventory` is by rank.
std::vector<setup::MemoryFit> memory_fits(const config::Experiment& experiment,
                                          const comm::RunPlan& run_plan,
                                          std::span<const comm::InventoryEntry> inventory);

}  // namespace lipizz::app
