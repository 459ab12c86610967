#pragma once

#include <functional>

#include "app/run_training.hpp"
#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "core/clock.hpp"

namespace lipizz::app {

/// How a rank ends a job of which a rank is lost, so that no orderly end is left.
using Abandon = std::function<int(comm::CommManager&, const comm::PeerLost&)>;

/// One rank's part of a run, whatever the transport: set-up, then master or worker. Collective over
/// the CommManager's WORLD of at least two ranks; `options` matter on the master alone.
///
/// Returns the exit code. Throws on the master alone: the error that ends the run.
int run_rank(comm::CommManager& comm, const LoadExperiment& load, const RunOptions& options,
             const Clock& clock, const Abandon& abandon);

}  // namespace lipizz::app
