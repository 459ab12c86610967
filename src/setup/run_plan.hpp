#pragma once

#include <span>
#include <string>
#include <vector>

#include "comm/setup_messages.hpp"
#include "config/experiment.hpp"

namespace lipizz::setup {

/// The decisions that hold for all ranks of a run.
struct Agreement {
  config::Experiment experiment;   // every `auto` resolved
  comm::RunPlan run_plan;          // without a folder, and without the cells' ranks
  std::vector<std::string> notes;  // what the log should know of the choices
};

/// How to run, as far as ranks have to know it.
struct RunMode {
  bool is_dry_run = false;
  bool survives_losses = false;  // cells of a lost worker move to others
};

/// Throws the error of a rank that failed, and ConfigError when ranks differ or one lacks what the
/// experiment asks for. `experiment` is the master's, its model and engine resolved.
Agreement agree(std::span<const comm::InventoryEntry> inventory, config::Experiment experiment,
                const RunMode& mode);

}  // namespace lipizz::setup
