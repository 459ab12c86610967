#pragma once

#include <functional>

#include "app/run_training.hpp"
#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"

namespace lipizz::app {

/// How a rank ends a job that has no orderly end left: a rank is lost, or the others wait for this
/// one, which cannot go on.
using Abandon = std::function<int(comm::CommManager&, const Error&)>;

/// One rank's part of a run, whatever the transport: set-up, then master or worker. Collective over
/// the CommManager's WORLD of at least two ranks; `options` matter on the master alone.
///
/// Returns the exit code. Throws on the master alone: the error that ends the run, which all ranks
/// have been told. Whatever else goes wrong is `abandon`'s.
int run_rank(comm::CommManager& comm, const LoadExperiment& load, const RunOptions& options,
             const Clock& clock, const Abandon& abandon);

}  // namespace lipizz::app
