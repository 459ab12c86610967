#pragma once

#include <exception>
#include <functional>

#include "app/outcome.hpp"
#include "app/rank_setup.hpp"
#include "app/run_training.hpp"
#include "comm/comm_manager.hpp"
#include "core/clock.hpp"

namespace lipizz::app {

/// Ends a job that has no orderly end left: a rank is lost, or the others wait for this one, which
/// cannot go on. `error` is an Error, for people; null where another rank says it.
using AbortHandler =
    std::function<void(comm::CommManager&, int exit_code, const std::exception_ptr& error)>;

/// One rank's part of a run, whatever the transport: set-up, then master or worker. Collective over
/// the CommManager's WORLD of at least two ranks; `options` matter on the master alone.
///
/// Whatever goes wrong that not all ranks have been told is handed to `abort`.
Outcome run_rank(comm::CommManager& comm, const LoadExperiment& load, const RunOptions& options,
                 const Clock& clock, const AbortHandler& abort);

}  // namespace lipizz::app
