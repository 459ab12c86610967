#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/rank_setup.hpp"
#include "app/run_training.hpp"
#include "comm/comm_manager.hpp"
#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"
#include "master/run_folder.hpp"
#include "master/start_notes.hpp"
#include "setup/memory_fit.hpp"
#include "setup/memory_report.hpp"

namespace lipizz::app {

/// A run that is about to begin, as the master knows it.
struct PreparedRun {
  config::Experiment experiment;
  std::vector<comm::InventoryEntry> inventory;  // by rank
  comm::RunPlan run_plan;
  master::StartNotes notes;
  std::unique_ptr<master::RunFolderLock> lock = {};  // none where nothing is to be trained
};

/// The master's part of set-up: takes the inventory, has all ranks agree, places the cells, by
/// measured speed where asked to, and makes the run's folder, or finds the one to go on in. Returns
/// with every worker waiting for the plan. Throws Error when there is none; the workers wait then,
/// too.
PreparedRun prepare_run(comm::CommManager& comm, RankSetup own, const RunOptions& options);

/// ConfigError with the figures where a host has too little memory, unless the experiment has it
/// not checked.
void expect_enough_memory(const PreparedRun& run, const setup::MemoryEstimate& estimate);

}  // namespace lipizz::app
