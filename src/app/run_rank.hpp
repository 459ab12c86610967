#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "app/run_training.hpp"
#include "comm/comm_manager.hpp"
#include "comm/messages.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"

namespace lipizz::app {

/// How a rank ends a job that has no orderly end left: a rank is lost, or the others wait for this
/// one, which cannot go on.
using AbortHandler = std::function<int(comm::CommManager&, const Error&)>;

/// How a rank's part of a run ends that no `abandon` has ended.
struct Outcome {
  int exit_code = 0;
  std::exception_ptr error = nullptr;  // on the master: what ends the run, told to all ranks
  comm::Ending ending = comm::Ending::kTogether;
  std::vector<std::uint32_t> lost_pids =
      {};  // on the master: processes of its host that were given up
};

/// One rank's part of a run, whatever the transport: set-up, then master or worker. Collective over
/// the CommManager's WORLD of at least two ranks; `options` matter on the master alone.
///
/// Whatever goes wrong that not all ranks have been told is `abandon`'s, whose exit code is
/// returned.
Outcome run_rank(comm::CommManager& comm, const LoadExperiment& load, const RunOptions& options,
                 const Clock& clock, const AbortHandler& abandon);

}  // namespace lipizz::app
