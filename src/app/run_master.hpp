#pragma once

#include "app/outcome.hpp"
#include "app/rank_setup.hpp"
#include "app/run_training.hpp"
#include "comm/comm_manager.hpp"
#include "core/clock.hpp"

namespace lipizz::app {

/// Rank 0's part of a run: set-up, then the master, or what a dry run prints. Throws what not all
/// ranks have been told.
Outcome run_master(comm::CommManager& comm, RankSetup own, const RunOptions& options,
                   const Clock& clock);

}  // namespace lipizz::app
