#pragma once

#include "app/outcome.hpp"
#include "app/rank_setup.hpp"
#include "app/run_training.hpp"
#include "comm/comm_manager.hpp"
#include "core/clock.hpp"

namespace lipizz::app {

/// The part of every other rank in a run: tells the master what it is, follows its plan, measures
/// its speed where asked to, then works until it is told to stop. Throws what the master does not
/// know.
Outcome run_worker(comm::CommManager& comm, RankSetup own, const RunOptions& options,
                   const Clock& clock);

}  // namespace lipizz::app
