#pragma once

#include <string>

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "setup/memory_report.hpp"

namespace lipizz::app {

/// The part of a dry run about the pipelines of a resolved experiment: how they are laid out and
/// what share of a step stages wait for each other, then a line for each rank of the first cell;
/// empty where there are none.
std::string pipeline_report(const config::Experiment& experiment, const comm::RunPlan& run_plan,
                            const setup::MemoryEstimate& estimate);

}  // namespace lipizz::app
